package textedit_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/internal/textedit"
)

const server = `{"command":"/opt/memory","args":["--state-dir","/s","mcp"]}`

// TestPut shows the text of an edit, and that cut is its reverse.
func TestPut(t *testing.T) {
	for name, tt := range map[string]struct {
		format       textedit.Format
		path         string
		before, want string
	}{
		"tall JSON with comments": {textedit.JSON, "m.memory", "// mine\n{\n    \"m\": {\n        \"x\": {} // last\n    }, // end\n}\n",
			"// mine\n{\n    \"m\": {\n        \"x\": {}, // last\n        \"memory\": {\n            \"command\": \"/opt/memory\",\n            \"args\": [\n                \"--state-dir\",\n                \"/s\",\n                \"mcp\"\n            ]\n        }\n    }, // end\n}\n"},
		"JSON on one line": {textedit.JSON, "m.memory", `{"m": {"x": 1}, "z": "//"}`, `{"m": {"x": 1, "memory": ` + server + `}, "z": "//"}`},
		"tabs and CRLF":    {textedit.JSON, "memory", "{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"memory\": {\r\n\t\t\"command\": \"/opt/memory\",\r\n\t\t\"args\": [\r\n\t\t\t\"--state-dir\",\r\n\t\t\t\"/s\",\r\n\t\t\t\"mcp\"\r\n\t\t]\r\n\t}\r\n}"},
		"a trailing comma": {textedit.JSON, "a.memory", "{\n\t\"a\": {\n\t\t\"b\": 1, /* , */\n\t},\n}",
			"{\n\t\"a\": {\n\t\t\"b\": 1, /* , */\n\t\t\"memory\": {\n\t\t\t\"command\": \"/opt/memory\",\n\t\t\t\"args\": [\n\t\t\t\t\"--state-dir\",\n\t\t\t\t\"/s\",\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t},\n\t},\n}"},
		"a byte order mark":                 {textedit.JSON, "m.memory", "\ufeff{\"m\": {\"x\": 1}}", "\ufeff{\"m\": {\"x\": 1, \"memory\": " + server + "}}"},
		"TOML":                              {textedit.TOML, "mcp_servers.memory", "# mine\nmodel = \"x\"\n", "# mine\nmodel = \"x\"\n\n[mcp_servers.memory]\ncommand = \"/opt/memory\"\nargs = [\"--state-dir\", \"/s\", \"mcp\"]\n"},
		"TOML, no newline at its end, CRLF": {textedit.TOML, "mcp_servers.memory", "[a]\r\nb = 1 # x\r\n[c]", "[a]\r\nb = 1 # x\r\n[c]\r\n\r\n[mcp_servers.memory]\r\ncommand = \"/opt/memory\"\r\nargs = [\"--state-dir\", \"/s\", \"mcp\"]"},
		"YAML": {textedit.YAML, "extensions.memory", "# mine\nextensions:\n    dev:\n        enabled: true # x\n\n# next\nmodel: a\n",
			"# mine\nextensions:\n    dev:\n        enabled: true # x\n    memory: {command: \"/opt/memory\", args: [\"--state-dir\", \"/s\", \"mcp\"]}\n\n# next\nmodel: a\n"},
		"YAML without the key and a newline": {textedit.YAML, "extensions.memory", "model: a",
			"model: a\nextensions:\n  memory: {command: \"/opt/memory\", args: [\"--state-dir\", \"/s\", \"mcp\"]}"},
	} {
		t.Run(name, func(t *testing.T) {
			path := strings.Split(tt.path, ".")
			d := open(t, tt.format, tt.before)
			must.Do(t, d.Set([]byte(server), path...))
			once := string(d.Bytes())
			if once != tt.want {
				t.Errorf("set:\n%q\nwant\n%q", once, tt.want)
			}
			if err := d.Set([]byte(server), path...); err != nil || string(d.Bytes()) != once {
				t.Errorf("set twice: %v\n%s", err, d.Bytes())
			}
			must.Do(t, d.Set([]byte(`{"command":"/new/memory","args":["mcp"]}`), path...))
			if err := d.Cut(path...); err != nil || string(d.Bytes()) != tt.before {
				t.Errorf("cut: %v\n%q\nwant\n%q", err, d.Bytes(), tt.before)
			}
		})
	}
}

func TestParagraph(t *testing.T) {
	for _, before := range []string{"", "# Mine\n", "# Mine\r\n\r\ntext\r\n", "no newline"} {
		d := open(t, textedit.Text, before)
		must.Do(t, d.Set([]byte(`"one\ntwo"`), "paragraph"))
		if got := d.Value("paragraph"); got != "one\ntwo" {
			t.Errorf("%q: the paragraph is %q in\n%q", before, got, d.Bytes())
		}
		if err := d.Set([]byte(`"three"`), "paragraph"); err != nil || d.Value("paragraph") != "three" {
			t.Errorf("%q: %v, %q", before, err, d.Bytes())
		}
		if err := d.Cut("paragraph"); err != nil || strings.TrimSpace(string(d.Bytes())) != strings.TrimSpace(before) || before != "" && string(d.Bytes()) != before {
			t.Errorf("cut: %v, %q, want %q", err, d.Bytes(), before)
		}
	}
}

func TestWhatCannotBeEditedStays(t *testing.T) {
	for name, tt := range map[string]struct {
		format textedit.Format
		src    string
	}{
		"a syntax error":         {textedit.JSON, "{"},
		"a list":                 {textedit.JSON, "[]"},
		"a key without quotes":   {textedit.JSON, "{m: 1}"},
		"a value on the way":     {textedit.JSON, `{"m": 1}`},
		"a key twice":            {textedit.JSON, `{"m": {}, "m": {"a": 1}}`},
		"an inline table":        {textedit.TOML, "m = {a = 1}\n"},
		"broken TOML":            {textedit.TOML, "[m"},
		"YAML in one line":       {textedit.YAML, "{m: {a: 1}}\n"},
		"a list in YAML":         {textedit.YAML, "- a\n"},
		"a mark without its end": {textedit.Text, "<!-- memory: begin -->\nx\n"},
	} {
		d, err := textedit.Open(tt.format, []byte(tt.src))
		if err == nil {
			err = d.Set([]byte(server), "m", "memory")
			if string(d.Bytes()) != tt.src {
				t.Errorf("%s: it became %q", name, d.Bytes())
			}
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestAppendedElementsComeLast: others' hooks keep their positions.
func TestAppendedElementsComeLast(t *testing.T) {
	const before = "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1}, // theirs\n      {\"a\": 2}\n    ]\n  }\n}\n"
	d := open(t, textedit.JSON, before)
	must.Do(t, d.Append([]byte(`{"b":1}`), "hooks", "Stop"))
	if list := d.List("hooks", "Stop"); len(list) != 3 || list[2].(map[string]any)["b"] == nil {
		t.Errorf("the list is %v", list)
	}
	must.Do(t, d.Set([]byte(`{"b":2}`), "hooks", "Stop", "2"))
	if err := d.Cut("hooks", "Stop", "2"); err != nil || string(d.Bytes()) != before {
		t.Errorf("%v\n%s", err, d.Bytes())
	}
}

// TestCutIsTheReverseOfPut checks it for random JSON in random layouts.
func TestCutIsTheReverseOfPut(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		layout := layout{
			eol:      rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"),
			unit:     rapid.SampledFrom([]string{"  ", "    ", "\t"}).Draw(t, "unit"),
			comma:    rapid.SampledFrom([]string{"", ","}).Draw(t, "comma"),
			comments: rapid.Bool().Draw(t, "comments"),
		}
		before := layout.object(t, 0) + rapid.SampledFrom([]string{"", layout.eol}).Draw(t, "end")
		d := must.Get(textedit.Open(textedit.JSON, []byte(before)))(t)
		if err := d.Set([]byte(server), "k0", "memory"); err != nil {
			return // a value of another kind is there
		}
		added := rapid.Bool().Draw(t, "append") && d.Append([]byte(`{"x":[1]}`), "k1", "list") == nil
		must.Do(t, d.Cut("k0", "memory"))
		if list := d.List("k1", "list"); added {
			must.Do(t, d.Cut("k1", "list", strconv.Itoa(len(list)-1)))
		}
		if got := string(d.Bytes()); got != before {
			t.Fatalf("it became\n%q\nwas\n%q", got, before)
		}
	})
}

// layout writes JSON as people and programs lay it out.
type layout struct {
	eol, unit, comma string
	comments         bool
}

func (l layout) object(t *rapid.T, depth int) string {
	n := rapid.IntRange(1, 3).Draw(t, "members")
	out := "{"
	for i := range n {
		value := "1"
		if depth < 2 && rapid.Bool().Draw(t, "nested") {
			value = l.object(t, depth+1)
		} else if rapid.Bool().Draw(t, "text") {
			value = `"a // b, {"`
		}
		comma := ","
		if i == n-1 {
			comma = l.comma
		}
		out += l.eol + strings.Repeat(l.unit, depth+1) + `"k` + string(rune('0'+i)) + `": ` + value + comma
		if l.comments && rapid.Bool().Draw(t, "comment") {
			out += rapid.SampledFrom([]string{" // ,", " /* } , */"}).Draw(t, "kind")
		}
	}
	return out + l.eol + strings.Repeat(l.unit, depth) + "}"
}

func open(t *testing.T, format textedit.Format, src string) *textedit.Document {
	t.Helper()
	d := must.Get(textedit.Open(format, []byte(src)))(t)
	return d
}
