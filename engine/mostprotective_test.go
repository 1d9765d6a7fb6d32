package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

const (
	eel       = "Kormoran Wolkenstein sells smoked eel at the harbour gate every second Saturday"
	eelEdited = "Kormoran Wolkenstein sells well smoked eel at the harbour gate every second Saturday"
)

// newEelWorld forgets a text with two copies. One of these is edited then, so that the
// program writes a line about it.
func newEelWorld(t *testing.T) *world {
	w := newWorld(t, map[string]string{"MEMORY.md": "# Market\n\n- " + eel + "\n- The cheese stall opens at six\n",
		"memory/copy.md": "# Other\n\n- " + eel + "\n", "memory/edited.md": "- " + eel + "\n"})
	for _, m := range w.listPath("MEMORY.md") {
		if m.Text == eel {
			w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(m.ID)}})
		}
	}
	w.write("memory/edited.md", "- "+eelEdited+"\n")
	w.index()
	w.index()
	if !strings.Contains(w.read("memory/edited.md"), "forgotten") {
		t.Fatalf("no line about the edited copy:\n%s", w.read("memory/edited.md"))
	}
	return w
}

// TestTextIsForgottenAsLongAsAnyLineForgetsIt removes the line about an edited copy, while
// the line about the text itself stays. Then it removes that one too.
func TestTextIsForgottenAsLongAsAnyLineForgetsIt(t *testing.T) {
	for name, left := range map[string]string{"its former text is back": "- " + eel + "\n", "only its line is gone": "- " + eelEdited + "\n",
		"another text is there": "- Nothing of it\n", "nothing is there": "", "both texts are there": "- " + eel + "\n- " + eelEdited + "\n"} {
		w := newEelWorld(t)
		w.write("memory/edited.md", left)
		w.index()
		for _, m := range w.list(memory.ListRequest{}) {
			if m.Text == eel {
				t.Errorf("%s: visible in %s", name, m.Path)
			}
		}
		src := w.read("MEMORY.md")
		w.write("MEMORY.md", src[strings.Index(src, "# Market"):])
		w.index()
		visible := 0
		for _, m := range w.list(memory.ListRequest{}) {
			if m.Text == eel {
				visible++
			}
		}
		if want := 2 + strings.Count(left, eel+"\n"); visible != want {
			t.Errorf("%s: %d of %d copies are visible without any line", name, visible, want)
		}
	}
}

// TestUndoLeavesACopyThatHasALineOfItsOwn counts what undo restores.
func TestUndoLeavesACopyThatHasALineOfItsOwn(t *testing.T) {
	w := newEelWorld(t)
	for _, preview := range []bool{true, false} {
		a := w.decide(memory.DecideRequest{Action: memory.ActionUndo, Preview: preview})
		if len(a.Changed) != 2 || len(a.Undone) != 1 || a.Undone[0].Memories != 2 || len(a.Unchanged) != 1 || a.Unchanged[0].Reason != memory.EditedSince {
			t.Errorf("preview %v: %+v", preview, a)
		}
	}
}

// TestDecisionsFileInGit takes the commit with the decisions file away in several ways.
func TestDecisionsFileInGit(t *testing.T) {
	needGit(t)
	for name, tt := range map[string]struct {
		take      []string
		forgotten bool
	}{
		"reset":    {[]string{"reset", "-q", "--hard", "HEAD~1"}, true},
		"checkout": {[]string{"checkout", "-q", "HEAD~1"}, true},
		"revert":   {[]string{"revert", "--no-edit", "HEAD"}, false},
	} {
		w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories})
		w.git("init", "-q", "-b", "main")
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "begin")
		w.index()
		w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "forget")
		w.index()
		w.git(tt.take...)
		w.index()
		if got := w.find(heron).Forgotten; got != tt.forgotten {
			t.Errorf("%s: forgotten is %v", name, got)
		}
		if name != "checkout" {
			continue
		}
		// A copy that is edited here gets a line, but not in a new file.
		w.write("memory/copy.md", "- "+heron+"\n")
		w.index()
		w.write("memory/copy.md", "- "+heron+" today\n")
		w.index()
		w.index()
		if _, err := os.Stat(filepath.Join(w.dir, memory.DecisionsFile)); err == nil {
			t.Error("the decisions file is written where git does not have it")
		}
		if m := w.find(heron + " today"); !m.Forgotten {
			t.Error("the edited copy is visible")
		}
		w.git("checkout", "-q", "main")
	}
}

// TestAMergeThatConflictsRestoresNothing ends a merge whose markers had the line that forgets a
// text. The branch that stays never had that line, so nobody took it out.
func TestAMergeThatConflictsRestoresNothing(t *testing.T) {
	needGit(t)
	forgetting := "---\nmemories:\n  - {id: \"" + memory.NewID(chunker.Fingerprint(eel), 0).InFile() + "\", quote: \"Kormoran Wolkenstein sells smoked eel\", forgotten: 2026-11-20}\n---\n"
	const note, edited = "- " + eel + "\n", "- " + eelEdited + "\n"
	for name, end := range map[string]func(w *world){
		"aborted": func(w *world) { w.git("merge", "--abort") },
		"resolved to the branch": func(w *world) {
			w.git("checkout", "--ours", ".")
			w.git("add", "-A")
			w.git("commit", "-q", "-m", "ours")
		},
		"resolved by hand":         func(w *world) { w.write("MEMORY.md", "# Market\n\n"+note) },
		"taken back while at work": func(w *world) { w.write("MEMORY.md", note); w.index(); w.git("merge", "--abort") },
	} {
		w := newWorld(t, map[string]string{"MEMORY.md": note})
		w.git("init", "-q", "-b", "main")
		commit := func() { w.git("add", "-A"); w.git("commit", "-q", "-m", "next") }
		commit()
		w.git("branch", "topic")
		w.index()
		w.write("MEMORY.md", forgetting+edited)
		commit()
		w.index()
		w.git("checkout", "-q", "topic")
		w.index()
		w.write("MEMORY.md", "---\nscope: market\n---\n"+note)
		commit()
		w.index()
		if _, err := runGit(w.dir, "merge", "-q", "main"); err == nil {
			t.Fatal("the merge has no conflict")
		}
		w.index()
		end(w)
		w.index()
		if m := w.list(memory.ListRequest{}); len(m) != 0 {
			t.Errorf("%s: visible: %+v", name, m)
		}
		w.git("reset", "-q", "--hard")
		w.git("checkout", "-q", "main")
		w.index()
		w.write("MEMORY.md", edited)
		w.index()
		if m := w.list(memory.ListRequest{}); len(m) != 1 {
			t.Errorf("%s: the line was taken out on its own branch, and %d memories are visible", name, len(m))
		}
	}
}
