package frontmatter_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// protectingValues are a value of each key that protects.
var protectingValues = [][2]string{{"private", "true"}, {"user", "lena"}, {"trust", "quarantined"}, {"forgotten", "2026-11-20"}}

// isWithheld reports whether no model gets a memory.
func isWithheld(d memory.Declared) bool {
	return isPrivate(d) || d.Forgotten != nil && *d.Forgotten || d.User == memory.NobodyUser || d.Trust == memory.TrustQuarantined
}

// readForms calls check with each form of a table, for each key that protects.
func readForms(t *testing.T, name string, check func(form string)) {
	table, err := os.ReadFile("testdata/marks/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		_, form, isForm := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if line[0] == '#' || !isForm {
			continue
		}
		for _, v := range protectingValues {
			check(strings.NewReplacer("KEY", v[0], "VALUE", v[1], "⏎", "\n").Replace(form))
		}
	}
}

// TestMarkWithoutASeparatorWithholdsItsMemory has the forms in front matter, where the
// entry is one of two, and in a decisions file.
func TestMarkWithoutASeparatorWithholdsItsMemory(t *testing.T) {
	readForms(t, "entries.txt", func(form string) {
		list := "memories:\n  - {id: \"3f8a91c2b7d0\", quote: \"The vault code\", " + form + "}\n  - {id: \"9c01aa7e44f1\", quote: \"Another\", pinned: true}\n"
		for name, m := range map[string]frontmatter.Parsed{"front matter": frontmatter.Parse([]byte("---\n"+list+"---\n- a\n"), nil), "decisions": frontmatter.ParseDecisions([]byte(list), nil)} {
			if len(m.Entries) != 2 || !isWithheld(m.Entries[0].Declared) || isWithheld(m.Entries[1].Declared) || m.ReadOnlyReason == "" {
				t.Errorf("%s: %s: %+v", name, form, m.Entries)
			}
			if len(m.Faults) == 0 || m.Faults[0].Line != strings.Count(name, " ")+2 {
				t.Errorf("%s: %s: faults %q", name, form, faults(m))
			}
		}
	})
}

// TestForgetMeansForgotten has what people write for a key.
func TestForgetMeansForgotten(t *testing.T) {
	for _, key := range []string{"forget: true", "forgot: 2026-11-20"} {
		m := frontmatter.Parse([]byte("---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"The vault code\", "+key+"}\n---\n- a\n"), nil)
		if len(m.ProtectingEntries()) != 1 || len(m.Faults) != 1 {
			t.Errorf("%s: %+v, faults %q", key, m.Entries, faults(m))
		}
	}
}

// TestMarkWithoutASeparatorWithholdsItsFile has the forms at the head of a file.
func TestMarkWithoutASeparatorWithholdsItsFile(t *testing.T) {
	readForms(t, "heads.txt", func(form string) {
		m := frontmatter.Parse([]byte("---\n"+form+"\n---\n- a\n"), nil)
		if !isWithheld(m.FileDefaults) || len(m.Faults) == 0 {
			t.Errorf("%q: %+v, faults %q", form, m.FileDefaults, faults(m))
		}
	})
}

// TestWordsOfOtherProgramsWithholdNothing has keys that look like one that protects, and one
// that is another name of it.
func TestWordsOfOtherProgramsWithholdNothing(t *testing.T) {
	for key, withholds := range map[string]bool{"rust: 2024": false, "use: daily": false, "Rust: 2024": false,
		"isPrivate: true": true, "is_private: yes": true, "isPrivate: false": false, "trus: untrusted": true} {
		m := frontmatter.Parse([]byte("---\n"+key+"\n---\n- a\n"), nil)
		if isWithheld(m.FileDefaults) != withholds || (len(m.Faults) > 0) != withholds {
			t.Errorf("%q: %+v, faults %q", key, m.FileDefaults, faults(m))
		}
	}
}

// TestListBelowAnotherKeyApplies has the list of entries below a key that is nearly right,
// or is not.
func TestListBelowAnotherKeyApplies(t *testing.T) {
	for _, key := range []string{"Memories", "MEMORIES", "memory", "Memory", "memoires", "memorys", "entries", "x", `"memory"`} {
		for _, dash := range []string{"- ", ""} {
			list := key + ":\n  " + dash + "{id: \"3f8a91c2b7d0\", quote: \"The vault code\", forgotten: 2026-11-20}\n"
			isExact := strings.EqualFold(key, "memories") && dash != ""
			for _, m := range []frontmatter.Parsed{frontmatter.Parse([]byte("---\n"+list+"---\n- a\n"), nil), frontmatter.ParseDecisions([]byte(list), nil)} {
				if len(m.ProtectingEntries()) != 1 || m.EntriesUnread == isExact || (len(m.Faults) == 0) != isExact || isPrivate(m.FileDefaults) {
					t.Errorf("%q: %+v, faults %q", list, m, faults(m))
				}
			}
		}
	}
}

// TestDecisionsFileWithoutItsListRevertsNothing tells an empty list from a missing one.
func TestDecisionsFileWithoutItsListRevertsNothing(t *testing.T) {
	for src, lost := range map[string]bool{"": true, "# mine\n": true, "tier: hot\n": true, "---\n---\nmemories: []\n": true,
		"memories:\n": false, "memories: []\n": false, "Memories: []\n": false} {
		if m := frontmatter.ParseDecisions([]byte(src), nil); m.NoList != lost && !m.EntriesUnread {
			t.Errorf("%q: the list is lost: %v, want %v", src, m.NoList, lost)
		}
	}
}

// TestEntriesOfAllDocumentsApply has a document above and below the list.
func TestEntriesOfAllDocumentsApply(t *testing.T) {
	const entry = "memories:\n  - {id: \"3f8a91c2b7d0\", quote: \"The vault code\", forgotten: 2026-11-20}\n"
	for _, src := range []string{"title: x\n---\n" + entry, entry + "---\ntitle: x\n", "---\ntitle: x\n--- # two\n" + entry} {
		if m := frontmatter.ParseDecisions([]byte(src), nil); len(m.ProtectingEntries()) != 1 || !m.EntriesUnread || len(m.Faults) == 0 {
			t.Errorf("%q: %+v", src, m)
		}
	}
}
