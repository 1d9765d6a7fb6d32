package json5_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/hostsetup/json5"
	"github.com/memory-tiered/memory/internal/property"
)

func TestParseReadsJSON5(t *testing.T) {
	for src, want := range map[string]string{
		`{a: 1, 'b': [true, null, .5, +3, 0x1F, 1e3, 5.,], "c": {},}`: `{"a":1,"b":[true,null,0.5,3,31,1000,5],"c":{}}`,
		"\ufeff// first\n{ $x_1: 'it''s' }":                           "line 2, column 13",
		`{a: 'it\'s \x41B😀\
 on'}`: `{"a":"it's AB😀 on"}`,
		"{/* c */ a /* c */ : /* c */ 1 /* c */ , // end\n}": `{"a":1}`,
		`{a: 1, a: 2}`:             `{"a":2}`,
		`{ключ: "Wert"}`:           `{"ключ":"Wert"}`,
		`{a: 1`:                    "line 1, column 6: expected , or }, found end of the file",
		"{\n  a: 1\n  b: 2\n}":     "line 3, column 3: expected , or }",
		`{a: hello}`:               `"hello" is not a value; a text needs quotes`,
		`{a: 010}`:                 `"010" is not a value`,
		`{a: "x`:                   "the string has no end",
		"{a: \"x\n\"}":             "the string has no end on its line",
		`{a: 1} b`:                 "unexpected 'b' after the value",
		`/* {`:                     "the comment has no end",
		``:                         "a value is missing",
		`{, a: 1}`:                 "expected a key, found ','",
		strings.Repeat("[", 10000): "nested more than",
	} {
		v, err := json5.Parse([]byte(src))
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%.40q: %v, want %s", src, err, want)
			}
			continue
		}
		if got, err := json.Marshal(v.Any()); err != nil || string(got) != want {
			t.Errorf("%q is %s, %v; want %s", src, got, err, want)
		}
	}
}

func TestSetChangesOnlyItsValue(t *testing.T) {
	for _, tt := range []struct{ name, src, path, value, want string }{
		{"replaces a value", "{a: {b: 'x'}, // why\n c: 2}", "a.b", `"y"`, "{a: {b: \"y\"}, // why\n c: 2}"},
		{"keeps an equal value", "{a: 'x'}", "a", `"x"`, "{a: 'x'}"},
		{"adds behind the last member", "{\n  a: 1 // one\n  // two\n}\n", "b", "2", "{\n  a: 1, // one\n  // two\n  b: 2\n}\n"},
		{"keeps the last comma", "{\n\t\"a\": 1,\n}\n", "b", "2", "{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n"},
		{"keeps one line", `{ "a": { "b": 1 } }`, "a.c", `"x"`, `{ "a": { "b": 1, "c": "x" } }`},
		{"fills an empty object", "{}\n", "a.b", "true", "{\n  a: {\n    b: true\n  }\n}\n"},
		{"fills an object of a comment", "{\n  // nothing yet\n}", "a", "1", "{\n  // nothing yet\n  a: 1\n}"},
		{"quotes what is no identifier", "{\n  a: 1\n}", "x-y", "1", "{\n  a: 1,\n  \"x-y\": 1\n}"},
		{"keeps CRLF", "{\r\n  a: 1\r\n}\r\n", "b.c", "1", "{\r\n  a: 1,\r\n  b: {\r\n    c: 1\r\n  }\r\n}\r\n"},
		{"keeps a comment in one line", "{ a: 1 /* one */ }", "b", "2", "{ a: 1, /* one */ b: 2 }"},
		{"a line comment ends the line", "{ a: 1 // one\n}", "b", "2", "{ a: 1, // one\n  b: 2\n}"},
		{"the last of two equal keys counts", "{a: 1, a: 2}", "a", "3", "{a: 1, a: 3}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var value any
			if err := json.Unmarshal([]byte(tt.value), &value); err != nil {
				t.Fatal(err)
			}
			got, err := json5.Set([]byte(tt.src), strings.Split(tt.path, "."), value)
			if err != nil || string(got) != tt.want {
				t.Errorf("Set = %q, %v\nwant  %q", got, err, tt.want)
			}
		})
	}
	if _, err := json5.Set([]byte(`{a: [1]}`), []string{"a", "b"}, 1); err == nil {
		t.Error("a member of a list was set")
	}
}

func TestListsGetAndLoseTexts(t *testing.T) {
	src := "{\n  paths: [\n    'a', // one\n  ]\n}"
	got, err := json5.Append([]byte(src), []string{"paths"}, "b")
	if want := "{\n  paths: [\n    'a', // one\n    \"b\",\n  ]\n}"; err != nil || string(got) != want {
		t.Fatalf("Append = %q, %v", got, err)
	}
	if again, err := json5.Append(got, []string{"paths"}, "a"); err != nil || string(again) != string(got) {
		t.Errorf("a second Append = %q, %v", again, err)
	}
	if back, err := json5.Remove(got, []string{"paths"}, "b"); err != nil || string(back) != src {
		t.Errorf("Remove = %q, %v", back, err)
	}
	if _, err := json5.Remove([]byte(src), []string{"paths"}, "b"); !errors.Is(err, json5.ErrNotFound) {
		t.Errorf("Remove of nothing: %v", err)
	}
	if got, err := json5.Append([]byte(`{}`), []string{"a", "b"}, "x"); err != nil || string(got) != "{\n  a: {\n    b: [\"x\"]\n  }\n}" {
		t.Errorf("Append makes %q, %v", got, err)
	}
}

func TestReplaceRawPutsAValueBack(t *testing.T) {
	src := "{a: 0x1F /* hex */, b: 'x'}"
	v, err := json5.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	a := v.Lookup("a")
	changed, err := json5.Set([]byte(src), []string{"a"}, 5.0)
	if err != nil {
		t.Fatal(err)
	}
	back, err := json5.ReplaceRaw(changed, []string{"a"}, src[a.Start:a.End])
	if err != nil || string(back) != src {
		t.Errorf("the text is %q, %v", back, err)
	}
}

// source generates an object in JSON5 with comments and various layouts. empty allows
// empty objects and lists, where Set has to choose a layout.
func source(t *rapid.T, depth int, empty bool) string {
	least := 1
	if empty {
		least = 0
	}
	n := rapid.IntRange(least, 4).Draw(t, "members")
	lines := rapid.Bool().Draw(t, "lines")
	eol, indent := " ", ""
	if lines {
		eol, indent = "\n", strings.Repeat("  ", depth+1)
	}
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		value := rapid.SampledFrom([]string{"1", "'x'", `"a\"b"`, "true", "null", "[1, 'y']", "-.5"}).Draw(t, "value")
		if depth < 3 && rapid.IntRange(0, 2).Draw(t, "nested") == 0 {
			value = source(t, depth+1, empty)
		}
		comment := rapid.SampledFrom([]string{"", "", " /* c, } */"}).Draw(t, "comment")
		fmt.Fprintf(&b, "%s%sk%d: %s%s", eol, indent, i, value, comment)
		if last := i == n-1; !last || rapid.Bool().Draw(t, "comma") {
			b.WriteString(",")
		}
		if lines && rapid.Bool().Draw(t, "remark") {
			b.WriteString(" // remark, {")
		}
	}
	if n == 0 && rapid.Bool().Draw(t, "remark") {
		b.WriteString("/* nothing */")
	}
	b.WriteString(eol + strings.TrimPrefix(indent, "  ") + "}")
	return b.String()
}

func pathIn(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"k0", "k1", "k2", "new", "x-y"}), 1, 4).Draw(t, "path")
}

// TestSetThenDeleteGivesTheSameBytes: what Set adds to an object, Delete removes
// without a trace.
func TestSetThenDeleteGivesTheSameBytes(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		src := source(t, 0, false)
		path := append(pathIn(t)[:0:0], pathIn(t)...)
		root, err := json5.Parse([]byte(src))
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		made := 0
		for made < len(path) && root.Lookup(path[:made+1]...) != nil {
			made++
		}
		if made == len(path) || root.Lookup(path[:made]...).Kind != json5.Object {
			t.Skip("the path leads to a value")
		}
		changed, err := json5.Set([]byte(src), path, "value")
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		back, err := json5.Delete(changed, path[:made+1])
		if err != nil || string(back) != src {
			t.Fatalf("%v\n%s\nbecame\n%s\nand then\n%s", err, src, changed, back)
		}
	})
}

// TestEditsChangeNothingElse compares the values before and after edits.
func TestEditsChangeNothingElse(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		src := source(t, 0, true)
		path := pathIn(t)
		changed, err := json5.Set([]byte(src), path, "value")
		if err != nil {
			return // a scalar is in the way
		}
		want := values(t, src)
		at := want
		for _, key := range path[:len(path)-1] {
			next, ok := at[key].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		at[path[len(path)-1]] = "value"
		if got := values(t, string(changed)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\nbecame\n%s", src, changed)
		}
		if strings.Count(string(changed), "/*") != strings.Count(src, "/*") && values(t, src)[path[0]] == nil {
			t.Fatalf("a comment is lost:\n%s\nbecame\n%s", src, changed)
		}
		delete(at, path[len(path)-1])
		deleted, err := json5.Delete(changed, path)
		if err != nil || !reflect.DeepEqual(values(t, string(deleted)), want) {
			t.Fatalf("%v\n%s\nbecame\n%s", err, changed, deleted)
		}
	})
}

func values(t *rapid.T, src string) map[string]any {
	v, err := json5.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return v.Any().(map[string]any)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{a: 'x', "b": [1, .5,], /* c */}`))
	f.Add([]byte("\ufeff{'\\u0041': \"\\\n\"}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := json5.Parse(src)
		if err != nil || v.Kind != json5.Object {
			return
		}
		changed, err := json5.Append(src, []string{"fuzz", "list"}, "x")
		if err != nil {
			return
		}
		if _, err := json5.Parse(changed); err != nil {
			t.Errorf("%q became %q: %v", src, changed, err)
		}
	})
}
