package textedit_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/memory-tiered/memory/internal/textedit"
)

var formats = []textedit.Format{textedit.JSON, textedit.TOML, textedit.YAML, textedit.Text}

// FuzzEdit makes each edit in any text of any format. An edit that is refused changes
// nothing. One that is made is what the text then has, and its reverse brings the values of
// before back.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"", "{}", "{\n  \"m\": {\n    \"x\": 1, // last\n  },\n}\n", `{"m": {"memory": 1}, "l": [1, /* , */ {"a": 2}]}`, "\ufeff{\"m\":{}}\r\n", `{"m":null,"l":null}`, `{"m":{},"m":{}}`, "{m: 1}", "[]", "{"} {
		f.Add([]byte(seed), uint8(0))
	}
	for _, seed := range []string{"a = 1 # x\n", "[m.memory]\na = 1\n\n[m.memory.b]\nc = 2\n[d]", "m = {a = 1}\n", "[[m]]\na = 1\n", "[\"m\".'memory']\r\nx = '''\r\n[m]\r\n'''\r\n", "[m"} {
		f.Add([]byte(seed), uint8(1))
	}
	for _, seed := range []string{"# mine\nm:\n    dev:\n        x: true # x\n\n# next\nn: a\n", "m: {a: 1}\n", "m: &a\n  x: 1\nn: *a\n", "m:\n  memory: |\n    text\n", "- a\n", "a: b\n---\nm: 1\n", "m:\r\n"} {
		f.Add([]byte(seed), uint8(2))
	}
	for _, seed := range []string{"# Mine\n\ntext\n", "a\n<!-- memory: begin -->\nold\n<!-- memory: end -->\nb", "<!-- memory: begin -->", "<!-- memory: end -->\r\n<!-- memory: begin -->\r\nx\r\n<!-- memory: end -->"} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, src []byte, kind uint8) {
		format := formats[int(kind)%len(formats)]
		d, err := textedit.Open(format, src)
		if err != nil {
			return
		}
		if !bytes.Equal(d.Bytes(), src) {
			t.Fatalf("%q is opened as %q", src, d.Bytes())
		}
		value, path := server, []string{"m", "memory"}
		if format == textedit.Text {
			value, path = `"one\ntwo"`, []string{"paragraph"}
		}
		isNew := d.Value(path...) == nil
		before := values(t, format, src)
		if isEdited(t, d, func() error { return d.Set([]byte(value), path...) }) {
			var want any
			if err := json.Unmarshal([]byte(value), &want); err != nil {
				t.Fatal(err)
			}
			if got := d.Value(path...); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q became %q, which has %v", src, d.Bytes(), got)
			}
			once := slices.Clone(d.Bytes())
			if err := d.Set([]byte(value), path...); err != nil || !bytes.Equal(d.Bytes(), once) {
				t.Fatalf("set twice: %q became %q: %v", once, d.Bytes(), err)
			}
			if isEdited(t, d, func() error { return d.Cut(path...) }) && isNew && !reflect.DeepEqual(withoutEmpty(values(t, format, d.Bytes())), withoutEmpty(before)) {
				t.Fatalf("set and cut: %q became %q", src, d.Bytes())
			}
		}
		if count := len(d.List("l")); isEdited(t, d, func() error { return d.Append([]byte(`{"b":1}`), "l") }) {
			if isEdited(t, d, func() error { return d.Set([]byte(`{"b":2}`), "l", strconv.Itoa(count)) }) && len(d.List("l")) != count+1 {
				t.Fatalf("%q has a list of %d elements, want %d", d.Bytes(), len(d.List("l")), count+1)
			}
			isEdited(t, d, func() error { return d.Cut("l", strconv.Itoa(count)) })
		}
	})
}

// values returns the values of a text as a new document has them.
func values(t *testing.T, format textedit.Format, src []byte) any {
	t.Helper()
	d, err := textedit.Open(format, src)
	if err != nil {
		t.Fatalf("%q cannot be read any more: %v", src, err)
	}
	return d.Value()
}

// withoutEmpty returns values without the objects that are empty: an edit and its reverse
// remove the empty group that it was in.
func withoutEmpty(v any) any {
	object, isObject := v.(map[string]any)
	if !isObject {
		return v
	}
	kept := map[string]any{}
	for key, value := range object {
		if value = withoutEmpty(value); value != nil {
			kept[key] = value
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// isEdited makes an edit. It checks that one that is refused changes nothing.
func isEdited(t *testing.T, d *textedit.Document, edit func() error) bool {
	t.Helper()
	before := slices.Clone(d.Bytes())
	err := edit()
	if err != nil && !bytes.Equal(d.Bytes(), before) {
		t.Fatalf("%q became %q: %v", before, d.Bytes(), err)
	}
	return err == nil
}
