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

// TestNamesThatNoDiskTakes leaves out copies of files whose names a disk refuses.
func TestNamesThatNoDiskTakes(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/imported/clawmem/old.md": "- Old\n"})
	before := w.tree(t)
	o := options()
	o.System, o.Exists, o.FolderFree = migrate.ClawMem, w.workspace.Exists, func(name string) bool { return w.workspace.FolderObstacle(name) == nil }
	var c migrate.Content
	names := []string{"col/" + strings.Repeat("n", 254), "f.md", "f.md/g.md", "F.md/h.md", "d/x.md", "d", "nul\x00\n.md",
		strings.Repeat("deep/", 300) + "x.md", "../up.md", "ends.", "old.md/x.md"}
	for i, name := range names {
		c.Documents = append(c.Documents, migrate.Document{Path: name, Text: fmt.Appendf(nil, "- Fact %d\n", i)})
	}
	w.plan = migrate.NewPlan(c, nothingKnown(), o)
	for i, name := range names {
		refused := i == 0 || i == 2 || i == 3 || i == 6 || i == 7 || i == 10
		if left := reasons(w.plan)[name] == migrate.SkipUnindexable; left != refused {
			t.Errorf("%.20q is left out: %t", name, left)
		}
	}
	w.migrate(t)
	if _, err := w.undo(t, false); err != nil {
		t.Fatal(err)
	}
	if after := w.tree(t); after != before {
		t.Errorf("the folder differs:\n%s", after)
	}
}

// TestUntrustedMarksCopiedFiles marks files of every form, and leaves out what it cannot
// mark.
func TestUntrustedMarksCopiedFiles(t *testing.T) {
	for src, want := range map[string]string{
		"- Tea\n": "---\ntrust: untrusted\n---\n- Tea\n",
		"\ufeff# A\r\n\r\n- Tea <!-- tier: hot -->\r\n": "\ufeff---\ntrust: untrusted\n---\n# A\r\n\r\n- Tea <!-- tier: hot -->\r\n",
		"---\ntier: warm\n---\n- Tea\n":                 "---\ntrust: untrusted\ntier: warm\n---\n- Tea\n",
		"---\ntrust: quarantined\n---\n- Tea\n":         "---\ntrust: quarantined\n---\n- Tea\n",
		"- In `<!-- trust: trusted -->` code\n":         "---\ntrust: untrusted\n---\n- In `<!-- trust: trusted -->` code\n",
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
	for _, src := range []string{"<<<<<<< HEAD\n- Tea\n=======\n- Milk\n>>>>>>> other\n", "---\nTrust: \"trusted\"\n---\n- Tea\n",
		"- Tea <!-- trust: trusted -->\n", "+++\ntier = \"hot\"\n+++\n- Tea\n", "{\"tier\": \"hot\"}\n\n- Tea\n"} {
		c := migrate.Content{Documents: []migrate.Document{{Path: "a.md", Text: []byte(src)}}}
		c.Distrust()
		if plan := migrate.NewPlan(c, nothingKnown(), options()); reasons(plan)["a.md"] != migrate.SkipUnmarkable {
			t.Errorf("%q: files: %v, left out: %v", src, plan.Files, plan.Skipped)
		}
	}
}

// A copied file never decides about a memory of the workspace.
func TestFilesWithDecisionsStay(t *testing.T) {
	plan := migrate.NewPlan(migrate.Content{Documents: []migrate.Document{
		{Path: "a.md", Text: []byte("---\nmemories:\n  - {id: \"0a1b2c3d4e5f\", quote: \"The spare key hangs\", forgotten: true}\n---\n- Tea\n")},
		{Path: "b.md", Text: []byte("---\ntier: warm\n---\n- Milk\n")},
	}}, nothingKnown(), options())
	if len(plan.Files) != 1 || reasons(plan)["a.md"] != migrate.SkipDeciding {
		t.Errorf("files: %q, left out: %v", plan.Paths(), plan.Skipped)
	}
}
