package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// The wordings of one memory, from the oldest to the present one. Each is an edit of the
// one before.
var wordings = []string{
	"The secret zyzzyva safe in the cellar opens with code nine one seven four today",
	"The secret zyzzyva safe in the cellar opens with code nine one seven four tomorrow",
	"The secret zyzzyva safe in the old cellar opens with code nine one seven four tomorrow",
}

// TestEveryWordingStaysAway forgets or destroys a memory that was edited twice. Each of its
// wordings comes back, by a branch or by hand, and no model gets it. A destroyed one is in
// no file of the program, neither while it is in Markdown nor afterwards.
func TestEveryWordingStaysAway(t *testing.T) {
	const path, plain = "MEMORY.md", "- A plain fact about the lemon tree in the garden\n"
	ways := map[string]func(g gitNotes, text string){
		"paste":           func(g gitNotes, text string) { g.write(path, g.read(path)+"- "+text+"\n") },
		"another file":    func(g gitNotes, text string) { g.write("memory/other.md", "- "+text+"\n") },
		"other markup":    func(g gitNotes, text string) { g.write(path, g.read(path)+"- **"+strings.ToUpper(text)+"**!\n") },
		"branch":          func(g gitNotes, text string) { g.git("checkout", "-q", branchOf(text)) },
		"first of a file": func(g gitNotes, text string) { g.write("memory/other.md", "- "+text+"\n"+plain) },
	}
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionDestroy} {
		for name, bring := range ways {
			for _, text := range wordings {
				if action == memory.ActionForget && text != wordings[0] && !*longRun {
					continue // every wording is destroyed, and the oldest one forgotten too
				}
				t.Run(string(action)+"/"+name+"/"+branchOf(text), func(t *testing.T) {
					t.Parallel()
					needGit(t)
					w := newReopenable(t, nil)
					g := gitNotes{&w.world}
					g.git("init", "-q", "-b", "main")
					for _, wording := range wordings {
						g.write(path, plain+"- "+wording+"\n")
						g.index()
						g.git("add", "-A")
						g.git("commit", "-qm", "edit")
						g.git("branch", branchOf(wording))
					}
					w.hide(action, wordings[len(wordings)-1])
					g.git("commit", "-qam", string(action))
					bring(g, text)
					g.index()
					for _, m := range w.list(memory.ListRequest{For: memory.AudienceModel}) {
						if strings.Contains(strings.ToLower(m.Text), "zyzzyva") {
							t.Errorf("a model gets %q", m.Text)
						}
					}
					if action != memory.ActionDestroy || name == "other markup" {
						return
					}
					hasNoBytes(t, w, "zyzzyva")
					status, err := w.Status(t.Context())
					if faults := status.Workspaces[0].Faults; err != nil || len(faults) != 1 || faults[0].Line == 0 || !strings.Contains(faults[0].Message, "destroyed") {
						t.Errorf("status: %+v, %v", faults, err)
					}
					g.git("checkout", "-q", "-f", "main")
					_ = os.Remove(filepath.Join(g.dir, "memory", "other.md"))
					w.restart()
					hasNoBytes(t, w, "zyzzyva")
					if status, err := w.Status(t.Context()); err != nil || len(status.Workspaces[0].Faults) > 0 {
						t.Errorf("status: %+v, %v", status.Workspaces[0].Faults, err)
					}
				})
			}
		}
	}
}

// hide forgets or destroys the memory with a text.
func (w *reopenable) hide(action memory.Action, text string) {
	w.t.Helper()
	request := decideRequest(action, w.idOf(text))
	request.Confirm = action == memory.ActionDestroy
	w.decide(request)
}

func branchOf(wording string) string {
	return []string{"oldest", "older", "last"}[slices.Index(wordings, wording)]
}

// hasNoBytes looks for a word in all files beside the database.
func hasNoBytes(t *testing.T, w *reopenable, word string) {
	t.Helper()
	for _, name := range w.filesContaining(word) {
		if !strings.HasSuffix(name, ".md") {
			t.Errorf("%s has it", name)
		}
	}
}

// edited returns a workspace whose memory had the first wording and has the second one.
func edited(t *testing.T, more string) *reopenable {
	t.Helper()
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + wordings[0] + "\n", "memory/other.md": "- " + owl + "\n" + more})
	w.write("MEMORY.md", "- "+wordings[1]+"\n")
	w.index()
	return w
}

func TestRestoreShowsFormerWordingsToo(t *testing.T) {
	w := edited(t, "")
	id := w.idOf(wordings[1])
	w.decide(decideRequest(memory.ActionForget, id))
	w.decide(decideRequest(memory.ActionRestore, id))
	w.write("memory/other.md", "- "+wordings[0]+"\n")
	w.index()
	if m := w.find(wordings[0]); m.Forgotten {
		t.Errorf("%+v", m)
	}
}

func TestFormerWordingOfAVisibleMemoryStaysVisible(t *testing.T) {
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionDestroy} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "- " + wordings[0] + "\n", "memory/other.md": "- " + wordings[0] + "\n"})
		w.write("MEMORY.md", "- "+wordings[1]+"\n")
		w.index()
		w.hide(action, wordings[1])
		w.write("memory/other.md", "- "+owl+"\n- "+wordings[0]+"\n")
		w.index()
		if m := w.find(wordings[0]); m.Forgotten {
			t.Errorf("%s: %+v", action, m)
		}
	}
}

// TestDestroyedTextStaysAwayFromANewDatabase deletes the database. The list beside it knows
// the text.
func TestDestroyedTextStaysAwayFromANewDatabase(t *testing.T) {
	w := edited(t, "")
	w.hide(memory.ActionDestroy, wordings[1])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tiered.db", "tiered.backup.db"} {
		_ = os.Remove(filepath.Join(filepath.Dir(w.db), name))
	}
	w.write("MEMORY.md", "- "+wordings[0]+"\n- "+wordings[1]+"\n")
	w.open()
	hasNoBytes(t, w, "zyzzyva")
	if list := w.listForgotten("MEMORY.md"); len(list) > 0 {
		t.Errorf("%+v", list)
	}
}

// TestRestoringACopyAllowsADestroyedText shows the only way back: a copy in other characters.
func TestRestoringACopyAllowsADestroyedText(t *testing.T) {
	w := edited(t, "")
	w.hide(memory.ActionDestroy, wordings[1])
	w.write("MEMORY.md", "- "+wordings[1]+"\n")
	w.write("memory/other.md", "- "+wordings[1]+"!\n")
	w.index()
	w.decide(decideRequest(memory.ActionRestore, w.idOf(wordings[1]+"!")))
	w.index()
	if m := w.find(wordings[1]); m.Forgotten || m.Path != "MEMORY.md" {
		t.Errorf("%+v", m)
	}
}
