package migrate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/migrate"
)

func TestDocumentsAreCopied(t *testing.T) {
	o := options()
	o.System = migrate.MemoryCore
	o.Indexable = func(name string) bool { return !strings.Contains(name, "/.") }
	note := "# Tuesday\r\n\r\n- Bought tea <!-- importance: 9 -->\r\n- The mill burned in 1911\r\n"
	known := nothingKnown()
	known.Memories = []memory.Memory{{Text: "Only this"}}
	known.IsForgotten = func(_ memory.Fingerprint, text string, _ []string) bool {
		return text == "The safe opens with the date of the fire"
	}
	plan := migrate.NewPlan(migrate.Content{Documents: []migrate.Document{
		{Path: "memory/2025-03-01.md", Text: []byte(note)},
		{Path: "memory/2025-03-01.MD", Text: []byte("- Another\n")},
		{Path: "notes.txt", Text: []byte("Text of another form\n")},
		{Path: "MEMORY.md", Text: []byte("Only  this\n")},
		{Path: "empty.md", Text: []byte("# Nothing\n")},
		{Path: "../../etc/passwd.md", Text: []byte("- Outside\n")},
		{Path: "a/.hidden/x.md", Text: []byte("- Hidden\n")},
		{Path: "cut.md", Text: []byte("- Before\n- The safe opens with the date of the fire\n- After\n")},
	}}, known, o)
	want := []string{"memory/imported/memory-core/memory/2025-03-01.md", "memory/imported/memory-core/memory/2025-03-01-2.MD",
		"memory/imported/memory-core/notes.txt.md", "memory/imported/memory-core/etc/passwd.md", "memory/imported/memory-core/cut.md"}
	if got := plan.Paths(); !slices.Equal(got, want) {
		t.Fatalf("paths:\n got %q\nwant %q", got, want)
	}
	if got := string(plan.Files[0].Text); got != note {
		t.Errorf("the copy differs: %q", got)
	}
	if got := string(plan.Files[4].Text); strings.Contains(got, "safe") || !strings.Contains(got, "- Before") || !strings.Contains(got, "- After") {
		t.Errorf("a destroyed text comes back: %q", got)
	}
	left := reasons(plan)
	if left["MEMORY.md"] != migrate.SkipDuplicate || left["empty.md"] != migrate.SkipEmpty || left["a/.hidden/x.md"] != migrate.SkipUnindexable {
		t.Errorf("left out: %v", left)
	}
	if !slices.ContainsFunc(plan.Notes, func(n string) bool { return strings.HasPrefix(n, "1 memories of copied files were forgotten") }) {
		t.Errorf("notes: %q", plan.Notes)
	}
}

// TestNamesThatNoDiskTakes writes copies of files whose names a disk refuses, and takes
// them back.
func TestNamesThatNoDiskTakes(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	before := w.tree(t)
	o := options()
	o.System, o.Exists, o.FolderFree = migrate.ClawMem, w.workspace.Exists, func(name string) bool { return w.workspace.FolderObstacle(name) == nil }
	var c migrate.Content
	for i, name := range []string{"col/" + strings.Repeat("n", 254), "col/" + strings.Repeat("ü", 140) + ".md", "f.md", "f.md/g.md", "F.md/h.md", "d/x.md", "d",
		"d.md/y.md", "d.md", "nul\x00\n.md", strings.Repeat("deep/", 300) + "x.md", "../up.md", "ends."} {
		c.Documents = append(c.Documents, migrate.Document{Path: name, Text: fmt.Appendf(nil, "- Fact %d\n", i)})
	}
	w.plan = migrate.NewPlan(c, nothingKnown(), o)
	if len(w.plan.Files) != len(c.Documents) {
		t.Errorf("left out: %+v", w.plan.Skipped)
	}
	w.migrate(t)
	if _, err := w.undo(t, false); err != nil {
		t.Fatal(err)
	}
	if after := w.tree(t); after != before {
		t.Errorf("the folder differs:\n%s", after)
	}
}

func TestAFolderThatIsAFileGetsAnotherName(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/imported/clawmem/f.md": "- Old\n"})
	o := options()
	o.System, o.Exists, o.FolderFree = migrate.ClawMem, w.workspace.Exists, func(name string) bool { return w.workspace.FolderObstacle(name) == nil }
	plan := migrate.NewPlan(migrate.Content{Documents: []migrate.Document{{Path: "f.md/g.md", Text: []byte("- Tea\n")}}}, nothingKnown(), o)
	if got := plan.Paths(); !slices.Equal(got, []string{"memory/imported/clawmem/f.md-2/g.md"}) {
		t.Errorf("paths: %q", got)
	}
}

// TestUntrustedMarksCopiedFiles marks files of every form, and leaves out what it cannot
// mark.
func TestUntrustedMarksCopiedFiles(t *testing.T) {
	for src, want := range map[string]string{
		"- Tea\n": "---\ntrust: untrusted\n---\n- Tea\n",
		"\ufeff# A\r\n\r\n- Tea <!-- trust: trusted; tier: hot -->\r\n":      "\ufeff---\r\ntrust: untrusted\r\n---\r\n# A\r\n\r\n- Tea <!-- trust: untrusted; tier: hot -->\r\n",
		"---\ntier: warm\n---\n- Tea\n":                                      "---\ntrust: untrusted\ntier: warm\n---\n- Tea\n",
		"---\nTrust: \"trusted\"\n---\n- Tea\n":                              "---\nTrust: \"untrusted\"\n---\n- Tea\n",
		"---\ntrust: quarantined\n---\n- Tea\n":                              "---\ntrust: quarantined\n---\n- Tea\n",
		"---\nmemories:\n  - {quote: \"Tea\", trust: trusted}\n---\n- Tea\n": "---\ntrust: untrusted\nmemories:\n  - {quote: \"Tea\", trust: untrusted}\n---\n- Tea\n",
		"+++\ntier = \"hot\"\n+++\n- Tea\n":                                  "+++\ntrust = \"untrusted\"\ntier = \"hot\"\n+++\n- Tea\n",
		"{\"tier\": \"hot\"}\n\n- Tea\n":                                     "{\"trust\": \"untrusted\", \"tier\": \"hot\"}\n\n- Tea\n",
		"- In `<!-- trust: trusted -->` code\n":                              "---\ntrust: untrusted\n---\n- In `<!-- trust: trusted -->` code\n",
	} {
		c := migrate.Content{Documents: []migrate.Document{{Path: "a.md", Text: []byte(src)}}}
		c.Distrust()
		plan := migrate.NewPlan(c, nothingKnown(), options())
		if len(plan.Files) != 1 || string(plan.Files[0].Text) != want {
			t.Errorf("%q becomes %+v, left out: %v", src, plan.Files, plan.Skipped)
			continue
		}
		head := frontmatter.Parse(plan.Files[0].Text, time.UTC)
		for _, b := range blocksOf(plan) {
			if b.Annotations.Trust == memory.TrustTrusted || head.FileDefaults.Trust == "" {
				t.Errorf("%q: %q is trusted", src, b.Text)
			}
		}
	}
	c := migrate.Content{Documents: []migrate.Document{{Path: "a.md", Text: []byte("<<<<<<< HEAD\n- Tea\n=======\n- Milk\n>>>>>>> other\n")}}}
	c.Distrust()
	if plan := migrate.NewPlan(c, nothingKnown(), options()); reasons(plan)["a.md"] != migrate.SkipUnmarkable {
		t.Errorf("files: %v, left out: %v", plan.Files, plan.Skipped)
	}
}

// TestCopiedFrontMatterDecidesAboutNoNeighbour copies lines about memories of the
// workspace, of the file, and of nothing.
func TestCopiedFrontMatterDecidesAboutNoNeighbour(t *testing.T) {
	known := nothingKnown()
	known.Memories = []memory.Memory{{ID: "0a1b2c3d-4e5f-8000-8000-000000000000", Text: "The spare key hangs in the boathouse behind the oars"}}
	known.Forgotten = []memory.Memory{{ID: "1a1b2c3d-4e5f-8000-8000-000000000000", Text: "The safe opens with the date of the fire"}}
	own := "  - {id: \"999999999999\", quote: \"A day fact of May about kites\", pinned: true}\n"
	head := "---\nmemories:\n  - {id: \"0a1b2c3d4e5f\", quote: \"The spare key hangs in the boathouse behind\", forgotten: 2026-01-01}\n" +
		"  - {quote: \"The spare key hangs in this boathouse\", private: true}\n" +
		"  - {id: \"1a1b2c3d4e5f\", quote: \"The safe opens with the date\", forgotten: false}\n"
	c := migrate.Content{Documents: []migrate.Document{
		{Path: "a.md", Text: []byte(head + own + "---\n- A day fact of May about kites\n- The spare key hangs in my boathouse\n")},
		{Path: "b.md", Text: []byte("---\nmemories:\n" + own + "---\n- A day fact of May about kites\n")},
		{Path: "c.md", Text: []byte("{\"memories\": [{\"id\": \"0a1b2c3d4e5f\", \"quote\": \"The spare key hangs\", \"forgotten\": true}]}\n\n- Tea\n")},
	}}
	plan := migrate.NewPlan(c, known, options())
	if len(plan.Files) != 2 || reasons(plan)["c.md"] != migrate.SkipDeciding {
		t.Fatalf("files: %q, left out: %v", plan.Paths(), plan.Skipped)
	}
	if got, want := string(plan.Files[0].Text), "---\nmemories:\n"+own+"---\n- A day fact of May about kites\n"; got != want {
		t.Errorf("the copy is\n%s\nwant\n%s", got, want)
	}
	if string(plan.Files[1].Text) != string(c.Documents[1].Text) {
		t.Errorf("lines about the file's own memories are lost: %s", plan.Files[1].Text)
	}
	if !slices.ContainsFunc(plan.Notes, func(n string) bool { return strings.HasPrefix(n, "3 lines in the front matter") }) {
		t.Errorf("notes: %q", plan.Notes)
	}
}

// TestCopiedFrontMatterIsComparedInTextsWithoutSpaces copies a line that quotes a memory of
// the workspace but for one character.
func TestCopiedFrontMatterIsComparedInTextsWithoutSpaces(t *testing.T) {
	known := nothingKnown()
	known.Memories = []memory.Memory{{ID: "0a1b2c3d-4e5f-8000-8000-000000000000", Text: "备用钥匙挂在船库的门后面"}}
	c := migrate.Content{Documents: []migrate.Document{
		{Path: "a.md", Text: []byte("---\nmemories:\n  - {quote: \"备用钥匙挂在船库门后面\", private: true}\n---\n- Tea\n")},
	}}
	if plan := migrate.NewPlan(c, known, options()); len(plan.Files) != 1 || strings.Contains(string(plan.Files[0].Text), "private") {
		t.Errorf("the line is copied: %s, left out: %v", plan.Files[0].Text, plan.Skipped)
	}
}

// TestLinesOfFrontMatterInACopiedTextAreReported copies a list item with such a line. It is
// no part of the memory, so a person must hear of it.
func TestLinesOfFrontMatterInACopiedTextAreReported(t *testing.T) {
	line := "  - {id: \"999999999999\", quote: \"A day fact of May\", pinned: true}\n"
	plan := migrate.NewPlan(migrate.Content{Documents: []migrate.Document{
		{Path: "a.md", Text: []byte("- A decision looks like this:\n" + line + "  and is one line\n")},
		{Path: "b.md", Text: []byte("---\nmemories:\n" + line + "---\n- Tea\n")},
	}}, nothingKnown(), options())
	want := "1 copied files have lines of front matter in their text; these are in the files, but in no memory: a.md"
	if len(plan.Files) != 2 || !slices.Contains(plan.Notes, want) {
		t.Errorf("%d files, notes %q", len(plan.Files), plan.Notes)
	}
}
