package ingest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// Quotes of the texts that the tests share.
const (
	tabsQuote   = "Prefers tabs over spaces in Go and never"
	rotateQuote = "The staging password rotates on the first Monday"
)

func frontMatterWith(lines ...string) []string {
	return append(append([]string{"---", "memories:"}, lines...), "---")
}

func TestEntryMatchesItsMemoryByIDOrQuote(t *testing.T) {
	tabsID := memory.NewID(fingerprint(tabs), 0).InFile()
	other := memory.NewID(fingerprint("something else"), 0).InFile()
	const half = "alpha bravo charlie delta one two three four"
	halfID := memory.NewID(fingerprint(half), 0).InFile()
	tests := []struct {
		name   string
		line   string
		body   []string
		pinned []string
		faults int
	}{
		{"by id and quote", `  - {id: "` + tabsID + `", quote: "` + tabsQuote + `", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, []string{tabs}, 0},
		{"by a short id and a quote that was edited since", `  - {id: "` + tabsID[:6] + `", quote: "Prefers spaces over tabs in Go and never", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, []string{tabs}, 0},
		{"not by id alone", `  - {id: "` + tabsID + `", pinned: true}`,
			[]string{"- " + tabs}, nil, 2},
		{"not by an id with the quote of another text", `  - {id: "` + tabsID + `", quote: "Deploys go out on Fridays before noon unless", pinned: true}`,
			[]string{"- " + tabs}, nil, 1},
		{"by the quote, if another text has the id", `  - {id: "` + tabsID + `", quote: "` + rotateQuote + `", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, []string{rotate}, 0},
		{"by exact quote", `  - {id: "` + other + `", quote: "` + tabsQuote + `", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, []string{tabs}, 0},
		{"by a quote written by hand", `  - {quote: "prefers tabs over spaces", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, []string{tabs}, 0},
		{"by a whole text as the quote", `  - {quote: "` + tabs + `", pinned: true}`, []string{"- " + tabs, "- " + rotate}, []string{tabs}, 0},
		{"not by a similar quote", `  - {id: "` + other + `", quote: "Prefers tabs over spaces in C and never", pinned: true}`,
			[]string{"- " + tabs, "- " + rotate}, nil, 1},
		{"not if two different texts match", `  - {id: "` + other + `", quote: "Deploys go out on Fridays at ten for", pinned: true}`,
			[]string{"- Deploys go out on Fridays at ten for staging", "- Deploys go out on Fridays at ten for production"}, nil, 1},
		{"one of two equal texts", `  - {id: "` + other + `", quote: "` + tabsQuote + `", pinned: true}`,
			[]string{"# A", "- " + tabs, "# B", "- " + tabs}, []string{tabs}, 0},
		{"a text without spaces", `  - {id: "` + other + `", quote: "開発環境のデータベースは毎晩二時にバックアップされる", pinned: true}`,
			[]string{"- 開発環境のデータベースは毎晩二時にバックアップされる", "- " + rotate}, []string{"開発環境のデータベースは毎晩二時にバックアップされる"}, 0},
		{"by id with half of the quote's words", `  - {id: "` + halfID + `", quote: "alpha bravo charlie delta five six seven eight", pinned: true}`,
			[]string{"- " + half}, []string{half}, 0},
		{"not by id with three of the quote's eight words", `  - {id: "` + halfID + `", quote: "alpha bravo charlie nine five six seven eight", pinned: true}`,
			[]string{"- " + half}, nil, 1},
		{"no text matches", `  - {id: "` + other + `", quote: "Ada keeps a grey parrot called Babbage", pinned: true}`,
			[]string{"- " + tabs}, nil, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("MEMORY.md", tt.body...)
			w.scan()
			w.write("MEMORY.md", append(frontMatterWith(tt.line), tt.body...)...)
			w.scan()
			w.expectPinned(tt.pinned...)
			if faults := w.faults(); len(faults) != tt.faults {
				t.Errorf("faults %q", faults)
			}
			w.loseDatabase()
			w.scan()
			w.expectPinned(tt.pinned...)
		})
	}
}

// TestProtectingEntryNeedsNoQuote checks that a mistake at a quote publishes nothing.
func TestProtectingEntryNeedsNoQuote(t *testing.T) {
	id := memory.NewID(fingerprint(tabs), 0).InFile()
	for _, quote := range []string{"", `, quote: ""`, `, quote: ["` + tabsQuote + `"]`, `, text: "` + tabsQuote + `"`, `, quote： "` + tabsQuote + `"`} {
		for _, key := range []string{"forgotten: true", "private: true", "trust: quarantined", "user: lena"} {
			w := newWorld(t)
			w.write("MEMORY.md", append(frontMatterWith(`  - {id: "`+id+`"`+quote+`, `+key+`}`), "- "+tabs, "- "+rotate)...)
			w.scan()
			protects := func(m memory.Memory) bool {
				return m.Forgotten || m.Private || m.Trust != memory.TrustTrusted || m.User != ""
			}
			if !protects(w.memory(tabs)) || protects(w.memory(rotate)) || len(w.faults()) == 0 {
				t.Errorf("%s%s: %+v, faults %q", key, quote, w.memory(tabs), w.faults())
			}
		}
	}
}

func (w *world) expectPinned(want ...string) {
	w.t.Helper()
	var got []string
	for _, m := range w.list(memory.Predicate{Pinned: true}) {
		got = append(got, m.Text)
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		w.t.Fatalf("pinned: %q, want %q", got, want)
	}
}

// TestEntryMatchesAMemoryInAnotherFile has a similar text in the entry's own
// file, which must not match.
func TestEntryMatchesAMemoryInAnotherFile(t *testing.T) {
	w := newWorld(t)
	similar := strings.Replace(tabs, "Go", "C", 1)
	w.write("MEMORY.md", "- "+tabs)
	w.write("memory/c.md", "- "+similar)
	w.scan()
	w.write("memory/c.md", append(frontMatterWith(entry(w.memory(tabs), "pinned: true")), "- "+similar)...)
	w.scan()
	if !w.memory(tabs).Pinned || w.memory(similar).Pinned {
		t.Errorf("pinned: %v, the similar text: %v", w.memory(tabs).Pinned, w.memory(similar).Pinned)
	}
}

// TestEntryOfAMissingMemorySurvivesARename renames the entry's file while its
// memory is in no file. The two hints come in separate runs.
func TestEntryOfAMissingMemorySurvivesARename(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	w.write("memory/c.md", append(frontMatterWith(entry(w.memory(tabs), "pinned: true")), "- "+rotate)...)
	w.scan()
	w.write("MEMORY.md")
	w.scan()
	w.write("memory/c.md")
	w.scan("memory/c.md")
	w.write("memory/d.md", append(frontMatterWith(entry(w.memory(tabs), "pinned: true")), "- "+rotate)...)
	w.scan("memory/d.md")
	if faults := w.faults(); len(faults) > 0 || !w.memory(tabs).Pinned {
		t.Errorf("pinned: %v; faults %q", w.memory(tabs).Pinned, faults)
	}
	w.write("memory/d.md", "- "+rotate)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	if !w.memory(tabs).Pinned {
		t.Error("the removed entry of a missing memory is lost")
	}
}

// TestEntryDoesNotTakeTheMemoryOfAnotherEntry has an entry without a memory
// whose quote is similar to another entry's.
func TestEntryDoesNotTakeTheMemoryOfAnotherEntry(t *testing.T) {
	w := newWorld(t)
	similar := strings.Replace(tabs, "Go", "C", 1)
	w.write("MEMORY.md", "- "+similar)
	w.scan()
	w.write("MEMORY.md", append(frontMatterWith(entry(w.memory(similar), "tier: cold")), "- "+similar)...)
	w.scan()
	gone := memory.Memory{ID: memory.NewID(fingerprint(tabs), 0), Text: tabs}
	w.write("memory/c.md", append(frontMatterWith(entry(gone, "pinned: true")), "- "+rotate)...)
	w.scan()
	if w.memory(similar).Pinned || len(w.faults()) != 1 {
		t.Errorf("pinned: %v; faults %q", w.memory(similar).Pinned, w.faults())
	}
}

// TestDecisionsSurviveEdits changes the text, the file and the entry itself.
func TestDecisionsSurviveEdits(t *testing.T) {
	start := func(t *testing.T) (*world, string) {
		w := newWorld(t)
		w.write("MEMORY.md", "- "+tabs, "- "+rotate)
		w.write("memory/notes.md", "- "+friday)
		w.scan()
		line := entry(w.memory(tabs), "pinned: true")
		w.write("MEMORY.md", append(frontMatterWith(line), "- "+tabs, "- "+rotate)...)
		w.scan()
		w.expectPinned(tabs)
		return w, line
	}
	rewritten := "Lena likes tabs better than spaces in whatever language she writes"
	tests := []struct {
		name string
		edit func(w *world, line string)
		want string
	}{
		{"the text is edited, the quote is not", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+tabsEdit, "- "+rotate)...)
			w.scan()
		}, tabsEdit},
		{"the text is edited until the quote does not match", func(w *world, line string) {
			for _, text := range []string{tabsEdit, "Lena likes tabs over spaces in Go and Rust and never aligns comments",
				"Lena likes tabs more than spaces in Go and Rust and never aligns comments",
				"Lena likes tabs more than spaces in whatever she writes and never aligns comments",
				"Lena likes tabs more than spaces in whatever language she writes and aligns nothing",
				"Lena likes tabs better than spaces in whatever language she writes"} {
				w.write("MEMORY.md", append(frontMatterWith(line), "- "+text, "- "+rotate)...)
				w.scan()
			}
		}, rewritten},
		{"the text is moved to another file", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate)...)
			w.write("memory/notes.md", "- "+friday, "- "+tabs)
			w.scan()
		}, tabs},
		{"the entry is moved to another file", func(w *world, line string) {
			w.write("MEMORY.md", "- "+tabs, "- "+rotate)
			w.write("memory/notes.md", append(frontMatterWith(line), "- "+friday)...)
			w.scan()
		}, tabs},
		{"the entry is moved to another file after the text was edited", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+tabsEdit, "- "+rotate)...)
			w.scan()
			w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate)
			w.write("memory/notes.md", append(frontMatterWith(line), "- "+friday)...)
			w.scan()
		}, tabsEdit},
		{"the front matter becomes invalid", func(w *world, line string) {
			w.write("MEMORY.md", "---", "memories: [", "  - {id", "---", "- "+tabs, "- "+rotate)
			w.scan()
		}, tabs},
		{"the whole file is renamed", func(w *world, line string) {
			w.write("MEMORY.md")
			w.write("memory/other.md", append(frontMatterWith(line), "- "+tabs, "- "+rotate)...)
			w.scan()
		}, tabs},
		{"the text is deleted and added again", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate)...)
			w.scan()
			w.write("memory/notes.md", "- "+friday, "- "+tabs)
			w.scan()
		}, tabs},
		{"the database is lost, and the end of the text was edited before", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate)...)
			w.write("memory/notes.md", "- "+friday, "- "+tabs+", or nearly")
			w.scan()
			w.loseDatabase()
			w.scan()
		}, tabs + ", or nearly"},
		{"the text is added after the entry", func(w *world, line string) {
			w.loseDatabase()
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate)...)
			w.scan()
			if faults := w.faults(); len(faults) != 1 || !strings.Contains(faults[0], "no memory matches this decision; correct its quote or remove it: "+tabsQuote) {
				w.t.Fatalf("faults %q", faults)
			}
			w.write("memory/notes.md", "- "+friday, "- "+tabs)
			w.scan("memory/notes.md")
		}, tabs},
		{"a person adds an entry with a new quote in another file", func(w *world, line string) {
			w.write("MEMORY.md", "- "+rewritten, "- "+rotate)
			w.scan()
			w.write("memory/notes.md", append(frontMatterWith(`  - {quote: "`+quote(rewritten)+`", pinned: true}`), "- "+friday)...)
			w.scan()
		}, rewritten},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, line := start(t)
			tt.edit(w, line)
			w.expectPinned(tt.want)
			if !strings.Contains(tt.name, "invalid") && len(w.faults()) != 0 {
				t.Errorf("faults %q", w.faults())
			}
		})
	}
}

// TestRebuiltDatabaseKeepsTheIDsInFiles edits the ends of texts before the database is
// lost. Ids are made from the original text, which the files no longer contain.
func TestRebuiltDatabaseKeepsTheIDsInFiles(t *testing.T) {
	short, shortEdit := "Kit drinks coffee black", "Kit drinks coffee black and hot"
	const tabsLonger = tabs + ", or nearly"
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs, "- "+short, "- "+rotate)
	w.write("memory/a.md", "- "+friday)
	w.write("memory/b.md", "- "+friday)
	w.scan()
	before := w.ids()
	second := w.memory(friday)
	second.ID = memory.NewID(second.Fingerprint, 1)
	w.write("MEMORY.md", append(frontMatterWith(entry(w.memory(tabs), "pinned: true"), entry(w.memory(short), "tier: cold")),
		"- "+tabsLonger, "- "+shortEdit, "- "+rotate)...)
	w.write("memory/b.md", append(frontMatterWith(entry(second, "pinned: true")), "- "+friday)...)
	w.scan()
	w.must(w.db.Close())
	w.open()
	w.write("memory/0.md", "- "+friday)
	w.scan()
	if got, want := w.memory(shortEdit).ID, before[short]; got != want {
		t.Errorf("a text with its whole original in the quote: %s, was %s", got, want)
	}
	if got, want := w.memory(tabsLonger).ID, before[tabs]; got.InFile() != want.InFile() {
		t.Errorf("a text with a part of its original in the quote: %s, was %s", got, want)
	}
	for _, m := range w.list(memory.Predicate{Pinned: true}) {
		if m.Text == friday && (m.Path != "memory/b.md" || m.ID != second.ID) {
			t.Errorf("the pinned copy is %s in %s", m.ID, m.Path)
		}
	}
	w.expectPinned(tabsLonger, friday)
	ids := w.ids()
	w.reindex()
	sameIDs(t, "after reindexing", w.ids(), ids)
}

// TestLineFindsItsCopyAmongThoseThatMoved takes equal texts out of two files in one save, and
// puts one into the file with the line of the second.
func TestLineFindsItsCopyAmongThoseThatMoved(t *testing.T) {
	w := newWorld(t)
	w.write("memory/a.md", "- "+friday, "- "+tabs)
	w.write("memory/b.md", "- "+friday, "- "+rotate)
	w.scan()
	second := w.memory(friday)
	second.ID = memory.NewID(second.Fingerprint, 1)
	line := entry(second, "pinned: true")
	w.write("MEMORY.md", append(frontMatterWith(line), "- Ada keeps a grey parrot")...)
	w.scan()
	w.expectPinned(friday)
	w.write("memory/a.md", "- "+tabs)
	w.write("memory/b.md", "- "+rotate)
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+friday, "- Ada keeps a grey parrot")...)
	w.scan()
	if m := w.memory(friday); m.ID != second.ID || !m.Pinned {
		t.Errorf("the text is memory %s, want %s", m.ID, second.ID)
	}
}

// TestRebuiltDatabaseKeepsTheIDsOfUsers writes lines about texts of a user. One has the id of
// a user's text, one that of an index from before ids were made of users.
func TestRebuiltDatabaseKeepsTheIDsOfUsers(t *testing.T) {
	const lena, ben = " <!-- user: lena -->", " <!-- user: ben -->"
	named := func(text, user string, n int) string {
		return entry(memory.Memory{ID: memory.NewUserID(fingerprint(text), user, n), Text: text}, "pinned: true")
	}
	w := newWorld(t)
	w.write("MEMORY.md", append(frontMatterWith(named(tabs, "lena", 1), named(rotate, "", 0), named(friday, "", 0)),
		"- "+tabs+ben, "- "+tabs+lena, "- "+tabs+lena, "- "+rotate+ben, "- "+friday+ben, "- "+friday)...)
	w.scan()
	if len(w.faults()) != 0 {
		t.Errorf("faults %q", w.faults())
	}
	var got []string
	for _, m := range w.list(memory.Predicate{Pinned: true}) {
		got = append(got, m.User+" "+string(m.ID))
	}
	slices.Sort(got)
	want := []string{" " + string(memory.NewID(fingerprint(friday), 0)), "ben " + string(memory.NewID(fingerprint(rotate), 0)), "lena " + string(memory.NewUserID(fingerprint(tabs), "lena", 1))}
	if !slices.Equal(got, want) {
		t.Errorf("pinned: %q, want %q", got, want)
	}
	w.write("MEMORY.md", append(frontMatterWith(named(tabs, "lena", 1)), "- "+tabs+" and comments"+lena)...)
	w.loseDatabase()
	w.scan()
	if m := w.memory(tabs + " and comments"); m.ID.InFile() != memory.NewUserID(fingerprint(tabs), "lena", 1).InFile() {
		t.Errorf("an edited text of a user became %s", m.ID)
	}
}

func TestShortenedIDInAFileIsNotRecovered(t *testing.T) {
	w := newWorld(t)
	line := `  - {id: "` + memory.NewID(fingerprint(tabs), 0).InFile()[:6] + `", quote: "` + tabsQuote + `", pinned: true}`
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+tabs+", or nearly")...)
	w.scan()
	if m := w.memory(tabs + ", or nearly"); m.ID != memory.NewID(m.Fingerprint, 0) || !m.Pinned {
		t.Errorf("memory %s, pinned %v; want the id of its text, pinned", m.ID, m.Pinned)
	}
}
