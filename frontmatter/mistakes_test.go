package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

const protectingHead = "---\nprivate: true\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"The vault code\", forgotten: 2026-11-20}\n---\n"

// TestFrontMatterBelowBlankLinesOrCommentsStillProtects checks that nothing above the
// opening line makes a declaration void.
func TestFrontMatterBelowBlankLinesOrCommentsStillProtects(t *testing.T) {
	tests := []struct {
		name, above string
		line        int
	}{
		{"a blank line", "\n", 3},
		{"blank lines with blanks", " \t\n\r\n", 4},
		{"a byte order mark and a blank line", "\ufeff\n", 3},
		{"a second byte order mark", "\ufeff\ufeff", 2},
		{"a character without a width", "\u200b", 2},
		{"a blank", " ", 2},
		{"a tab", "\t", 2},
		{"a comment", "<!-- my notes -->\n", 3},
		{"a comment on three lines", "<!--\nmy notes\n-->\n\n", 6},
		{"the opening line twice", "---\n", 5},
		{"an empty pair of lines", "---\n\n---\n\n", 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.above + protectingHead + "- Text\n")
			m := frontmatter.Parse(src, nil)
			if !isPrivate(m.FileDefaults) || len(m.ProtectingEntries()) != 1 {
				t.Errorf("not protected: %+v", m)
			}
			if len(m.Faults) != 1 || m.Faults[0].Line != tt.line || !strings.Contains(m.Faults[0].Message, "at the beginning of the file") {
				t.Errorf("faults %+v, want one on line %d", m.Faults, tt.line)
			}
			if got := string(frontmatter.Redact(src, m, nil)); strings.Contains(got, "vault") {
				t.Errorf("the redacted file quotes the forgotten text: %q", got)
			}
			change := frontmatter.Change{ID: memory.NewID(memory.Fingerprint{1}, 0), Quote: "Text", Declared: memory.Declared{Tier: memory.TierHot}}
			if _, err := frontmatter.Set(src, nil, []frontmatter.Change{change}); err == nil || !strings.Contains(err.Error(), "front matter in its text") {
				t.Errorf("a decision is written: %v", err)
			}
		})
	}
}

// TestThematicBreaksAreNoDisplacedFrontMatter checks that ordinary Markdown has no
// false alarm.
func TestThematicBreaksAreNoDisplacedFrontMatter(t *testing.T) {
	for _, in := range []string{
		"\n---\n\nSome prose.\n\n---\n\nMore.\n",
		"\n---\nSource: the book\n---\n",
		"# Title\n\n---\ntier: hot\n---\n",
		"\n---\ntitle: A\ntags: [a]\n---\n",
		"\n---\n- private\n- forgotten\n---\nText\n",
		"---\n\n---\n\n---\n\nWe forgot the private keys.\n",
		"<!-- -->\n---\ntier: hot\n---\nText\n",
		"\n    ---\n\n    We talked about memories.\n",
	} {
		if m := frontmatter.Parse([]byte(in), nil); m.Format != fields.None || len(m.Faults) > 0 {
			t.Errorf("%q: %+v", in, m)
		}
	}
}

// TestMistakeInTheListOfDecisionsStillHides checks what a new database reads from a
// list with a mistake, and that nothing counts as removed.
func TestMistakeInTheListOfDecisionsStillHides(t *testing.T) {
	const entry = `id: "3f8a91c2b7d0", quote: "The vault code of, the house", forgotten: 2026-11-20`
	tests := []struct{ name, list, fault string }{
		{"no dash", "memories:\n  {" + entry + "}\n", "must be a list"},
		{"no dashes", "memories:\n  {" + entry + "}\n  {id: \"9c01aa7e44f1\", quote: \"Tabs\", pinned: true}\n", "not valid YAML"},
		{"a misspelled key", "memoires:\n  - {" + entry + "}\n", "do you mean memories?"},
		{"the key alone", "memories\n  - {" + entry + "}\n", "not valid YAML"},
		{"no key", "  - {" + entry + "}\n", "keys and values"},
		{"no colon behind forgotten", "memories:\n  - {" + strings.Replace(entry, "forgotten:", "forgotten", 1) + "\n", "not valid YAML"},
		{"no value", "memories:\n  - {" + strings.Replace(entry, " 2026-11-20", "", 1) + "}\n", "forgotten"},
		{"no value in block style", "memories:\n  - id: \"3f8a91c2b7d0\"\n    quote: \"The vault code of, the house\"\n    forgotten:\n", "forgotten"},
		{"no closing brace", "memories:\n  - {" + entry + "\n", "not valid YAML"},
		{"no opening brace", "memories:\n  - " + entry + "}\n", "not valid YAML"},
		{"no closing quotation mark", "memories:\n  - {" + strings.Replace(entry, "house\"", "house", 1) + "}\n", "not valid YAML"},
		{"block style with a mistake", "memories:\n  - id: \"3f8a91c2b7d0\"\n    quote: \"The vault code of, the house\"\n   forgotten: 2026-11-20\n", "not valid YAML"},
		{"a misspelled quote", "memories:\n  - {" + strings.Replace(entry, "quote", "qoute", 1) + "}\n", "do you mean quote?"},
		{"keys as an entry's names", "memories:\n  a: {" + entry + "}\n", "must be a list"},
		{"an unclosed bracket elsewhere", "tags: [a\nmemories:\n  - {" + entry + "}\n", "not valid YAML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte("---\nscope: x\n"+tt.list+"---\n- Text\n"), nil)
			if tt.name == "no key" {
				m = frontmatter.Parse([]byte("---\n"+tt.list+"---\n- Text\n"), nil)
			}
			forgetting := m.ProtectingEntries()
			if len(forgetting) != 1 || forgetting[0].Quote != "The vault code of, the house" {
				t.Errorf("entries %+v, file %+v, faults %q", m.Entries, m.FileDefaults, faults(m))
			}
			if all := strings.Join(faults(m), "\n"); !strings.Contains(all, tt.fault) {
				t.Errorf("faults %q, want %q", all, tt.fault)
			}
		})
	}
}

// TestUnreadableForgottenHidesTheWholeFile checks entries whose memory cannot be told.
func TestUnreadableForgottenHidesTheWholeFile(t *testing.T) {
	for _, in := range []string{
		"---\nmemories:\n  - {id: \"3f8a\", forgotten: 2026-11-20\n---\n",
		"---\nmemories: [forgotten: {\n---\n",
		"---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"x y z\"}\nforgotten: 2026-11-20\n---\n",
		"---\nforgotten: true\n---\n", "---\nforgoten:\n---\n",
		"---\nmemories:\n  - all forgotten\n---\n",
	} {
		if m := frontmatter.Parse([]byte(in+"- Text\n"), nil); !isPrivate(m.FileDefaults) || len(m.Faults) == 0 {
			t.Errorf("%q: %+v", in, m)
		}
	}
	for _, in := range []string{"---\nforgotten: false\n---\n", "---\ntitle: We forgot [it\n---\n"} {
		if m := frontmatter.Parse([]byte(in+"- Text\n"), nil); isPrivate(m.FileDefaults) && !strings.Contains(in, "title") {
			t.Errorf("%q is private: %+v", in, m)
		}
	}
}

// TestBothSidesOfAConflictForget checks the entries of a file with conflict markers.
func TestBothSidesOfAConflictForget(t *testing.T) {
	const ours = "  - {id: \"3f8a91c2b7d0\", quote: \"The vault code\", forgotten: 2026-11-20}\n"
	const theirs = "  - {id: \"9c01aa7e44f1\", quote: \"The staging password\", forgotten: 2026-11-21}\n"
	list := "memories:\n<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> b\n"
	for name, m := range map[string]frontmatter.Parsed{
		"in front matter":           frontmatter.Parse([]byte("---\n"+list+"---\n- Text\n"), nil),
		"around the front matter":   frontmatter.Parse([]byte("<<<<<<< HEAD\n---\nmemories:\n"+ours+"---\n=======\n---\nmemories:\n"+theirs+"---\n>>>>>>> b\n- Text\n"), nil),
		"in a decisions file":       frontmatter.ParseDecisions([]byte(list), nil),
		"in the body":               frontmatter.Parse([]byte("---\nmemories:\n"+ours+theirs+"---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n"), nil),
		"a decision that is broken": frontmatter.ParseDecisions([]byte(strings.Replace(list, "2026-11-20}", "2026-11-20", 1)), nil),
	} {
		if !m.HasConflict || len(m.ProtectingEntries()) != 2 || len(m.Faults) != 1 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestTrustListWithQuarantinedIsQuarantined checks values that are no single word.
func TestTrustListWithQuarantinedIsQuarantined(t *testing.T) {
	for in, want := range map[string]memory.TrustTier{"[quarantined]": memory.TrustQuarantined, "[trusted, quarantine]": memory.TrustQuarantined,
		"{a: Quarantined}": memory.TrustQuarantined, "[trusted]": memory.TrustQuarantined, "[]": memory.TrustQuarantined} {
		m := frontmatter.Parse([]byte("---\ntrust: "+in+"\n---\n"), nil)
		if m.FileDefaults.Trust != want || len(m.Faults) != 1 {
			t.Errorf("%s is %q, faults %q", in, m.FileDefaults.Trust, faults(m))
		}
	}
}
