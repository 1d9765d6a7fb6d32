package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

const pendingNote = "memory/2026-11-20.md"

// newPending returns a workspace with a decision that is only in the index, because
// its file is read-only.
func newPending(t *testing.T) *reopenable {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", pendingNote: "- " + owl + "\n- " + vault + "\n"})
	w.setMode(0o444)
	w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
	if w.read(pendingNote) != "- "+owl+"\n- "+vault+"\n" || !w.find(owl).Forgotten {
		t.Fatalf("%q, %+v", w.read(pendingNote), w.find(owl))
	}
	w.isPending(1, pendingNote+" cannot be written")
	return w
}

func (w *reopenable) setMode(mode os.FileMode) {
	w.t.Helper()
	must.Do(w.t, os.Chmod(filepath.Join(w.dir, pendingNote), mode))
}

// isPending checks how many pending decisions status counts, and the reason that it
// gives.
func (w *reopenable) isPending(n int, reason string) {
	w.t.Helper()
	status := must.Get(w.Status(w.t.Context()))(w.t)
	notices := strings.Join(status.Workspaces[0].Notices, "\n")
	if got := status.Workspaces[0].PendingDecisions; got != n || strings.Contains(notices, "kept in the index") != (n > 0) || !strings.Contains(notices, reason) {
		w.t.Errorf("status counts %d pending decisions, want %d; notices: %q", got, n, notices)
	}
}

// isWritten checks that the decision is in the file, and holds without the database.
func (w *reopenable) isWritten() {
	w.t.Helper()
	if got := w.read(pendingNote); strings.Count(got, "forgotten: 2026") != 1 {
		w.t.Errorf("the file is %q", got)
	}
	w.isPending(0, "")
	must.Do(w.t, w.Close())
	for _, name := range []string{"tiered.db", "tiered.backup.db", "tiered.forgotten"} {
		_ = os.Remove(filepath.Join(filepath.Dir(w.db), name)) // may not exist
	}
	w.open()
	if !w.find(owl).Forgotten || w.find(vault).Forgotten {
		w.t.Errorf("with a new database: %+v", w.find(owl))
	}
}

func TestPendingDecisionIsWrittenOnceItsFileCanBe(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(w *reopenable)
	}{
		{"by a decision in another file", func(w *reopenable) {
			a := w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
			if len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "are in their files now") {
				w.t.Errorf("notices %q", a.Notices)
			}
		}},
		{"by a decision in the same file", func(w *reopenable) { w.decide(decideRequest(memory.ActionPin, w.idOf(vault))) }},
		{"by the next index pass", func(w *reopenable) { w.index() }},
		{"by upkeep", func(w *reopenable) {
			if n, err := w.WritePending(w.t.Context()); n != 1 || err != nil {
				w.t.Errorf("wrote %d, %v", n, err)
			}
		}},
		{"after a restart", func(w *reopenable) {
			must.Do(w.t, w.Close())
			w.open()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newPending(t)
			w.setMode(0o644)
			w.isPending(1, "the next index pass or decision writes them")
			tt.do(w)
			w.isWritten()
		})
	}
}

// While the file cannot be written, no attempt changes anything, and other files are
// written.
func TestPendingDecisionStaysWhileItsFileCannotBeWritten(t *testing.T) {
	w := newPending(t)
	before := w.read(pendingNote)
	w.index()
	a := w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	if n, err := w.WritePending(t.Context()); n != 0 || err != nil || len(a.Notices) != 0 {
		t.Errorf("wrote %d, %v; notices %q", n, err, a.Notices)
	}
	if w.read(pendingNote) != before || !strings.Contains(w.read("MEMORY.md"), "pinned: true") {
		t.Errorf("the files are %q and %q", w.read(pendingNote), w.read("MEMORY.md"))
	}
	must.Do(t, w.Close())
	w.open()
	w.isPending(1, "cannot be written")
	if !w.find(owl).Forgotten {
		t.Error("the decision is lost after a restart")
	}
}

// The process ends after the file was written and before the index knows it.
func TestPendingDecisionSurvivesAKillWhileItIsWritten(t *testing.T) {
	w := newPending(t)
	w.setMode(0o644)
	w.StopAfter(func(step string) error {
		if step == "pending written" {
			return errStopped
		}
		return nil
	})
	w.index()
	w.isPending(1, "")
	must.Do(t, w.Close())
	w.openUnscanned()
	if !w.find(owl).Forgotten {
		t.Error("the text is visible after the kill")
	}
	w.index()
	w.isWritten()
}

// A line that a person removes by hand is removed: a decision that was pending once
// does not return.
func TestWrittenPendingDecisionCanBeRemovedByHand(t *testing.T) {
	w := newPending(t)
	w.setMode(0o644)
	w.index()
	w.write(pendingNote, "- "+owl+"\n- "+vault+"\n")
	w.index()
	if w.find(owl).Forgotten || strings.Contains(w.read(pendingNote), "forgotten") {
		t.Errorf("the removed line has an effect: %q", w.read(pendingNote))
	}
}

func TestReadOnlyWorkspaceKeepsItsDecisionsPending(t *testing.T) {
	w := &reopenable{world: world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}, zone: time.UTC}
	w.write("MEMORY.md", "- "+heron+"\n")
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: w.zone, Options: workspace.Options{ReadOnly: true}}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), Now: func() time.Time { return now },
	})))(t)
	w.Engine = e
	t.Cleanup(func() { _ = w.Close() }) // the test closes it too
	w.index()
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	w.index()
	w.isPending(1, "read-only workspace")
	if w.read("MEMORY.md") != "- "+heron+"\n" {
		t.Errorf("the file is %q", w.read("MEMORY.md"))
	}
	must.Do(t, w.Close())
	w.open() // the setting was removed
	if !strings.Contains(w.read("MEMORY.md"), "forgotten: 2026") {
		t.Errorf("the file is %q", w.read("MEMORY.md"))
	}
}

// An immutable file has write permissions, and still refuses every write.
func TestDecisionAboutAnImmutableFileIsPending(t *testing.T) {
	w := newReopenable(t, map[string]string{pendingNote: "- " + owl + "\n- " + vault + "\n"})
	file := filepath.Join(w.dir, pendingNote)
	if out, err := exec.Command("chattr", "+i", file).CombinedOutput(); err != nil {
		t.Skipf("this system cannot make a file immutable: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("chattr", "-i", file).Run() }) // so that the folder can be removed
	w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
	w.index()
	w.isPending(1, "cannot be written")
	must.Do(t, exec.Command("chattr", "-i", file).Run())
	w.index()
	w.isWritten()
}
