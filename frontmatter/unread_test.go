package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/frontmatter"
)

// TestUnreadableFrontMatterWithholdsAlike has each key that protects in each form that
// cannot be read whole. One fault names the key and its line.
func TestUnreadableFrontMatterWithholdsAlike(t *testing.T) {
	keys := []struct{ key, value string }{{"private", "true"}, {"user", "lena"}, {"trust", "quarantined"}, {"trust", "untrusted"}, {"forgotten", "2026-11-20"}}
	forms := []struct {
		name, head string
		line       int
	}{
		{"a mistake below", "---\nKEY: VALUE\nfoo: [x\n---\n", 2},
		{"a mistake above", "---\nfoo: [x\nKEY: VALUE\n---\n", 3},
		{"no blank", "---\nKEY:VALUE\n---\n", 2},
		{"a full-width colon", "---\nKEY：VALUE\n---\n", 2},
		{"a blank that does not break", "---\nKEY:\u00a0VALUE\n---\n", 2},
		{"a tab", "---\n\tKEY: VALUE\n---\n", 2},
		{"an equals sign", "---\nKEY = VALUE\n---\n", 2},
		{"TOML without quotation marks", "+++\nKEY = VALUE x\n+++\n", 2},
		{"a character that nobody sees", "---\nfoo: [x\nK\u200bEY: VALUE\n---\n", 3},
		{"a list in a mistake", "---\nKEY: [VALUE\n---\n", 2},
		{"JSON without quotation marks", "{KEY: VALUE}\n\n", 1},
		{"inside another key", "---\nmemory:\n  KEY: VALUE\n---\n", 3},
		{"deep inside another key", "---\na:\n  - b: {KEY: VALUE}\n---\n", 3},
		{"in TOML's table", "+++\n[params]\nKEY = \"VALUE\"\n+++\n", 2},
	}
	for _, f := range forms {
		for _, k := range keys {
			word := strings.NewReplacer("K\u200bEY", k.key[:1]+"\u200b"+k.key[1:], "KEY", k.key, "VALUE", k.value).Replace(f.head)
			m := frontmatter.Parse([]byte(word+"- a fact\n"), nil)
			if !isPrivate(m.FileDefaults) || !m.Withheld {
				t.Errorf("%s: %s: %s declares %+v, faults %q", f.name, k.key, k.value, m.FileDefaults, faults(m))
			}
			n := 0
			for _, fault := range m.Faults {
				if strings.HasPrefix(fault.Message, k.key+" ") && fault.Line == f.line {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %s: faults %q, want one on line %d", f.name, k.key, faults(m), f.line)
			}
		}
	}
}

// TestForeignFrontMatterWithholdsNothing has keys and values that resemble ours.
func TestForeignFrontMatterWithholdsNothing(t *testing.T) {
	for _, head := range []string{
		"title: The private garden", "params:\n  private: false", "params:\n  trust: trusted", "users: 3", "used: 2024", "uses: [a, b]", "use: 12",
		"description: \"user: the person at the keyboard\"", "text: |\n  private: a long story", "tags: [private, user]",
	} {
		m := frontmatter.Parse([]byte("---\n"+head+"\n---\n- a fact\n"), nil)
		if d := m.FileDefaults; isPrivate(d) || d.User != "" || d.Trust != "" || len(m.Faults) > 0 {
			t.Errorf("%s: %+v, faults %q", head, d, faults(m))
		}
	}
}
