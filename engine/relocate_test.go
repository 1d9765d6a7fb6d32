package engine_test

import (
	"errors"
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
)

// decisionsFileWorld is an engine over a workspace with a decisions file, or, after
// reopen(false), with decisions in front matter.
type decisionsFileWorld struct{ world }

func newDecisionsFileWorld(t *testing.T, files map[string]string) *decisionsFileWorld {
	w := &decisionsFileWorld{world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}}
	for path, text := range files {
		w.write(path, text)
	}
	w.open(true)
	t.Cleanup(func() { _ = w.Close() }) // reopen and loseDatabase close it too
	return w
}

func (w *decisionsFileWorld) open(file bool) {
	w.t.Helper()
	e := must.Get(engine.Open(w.t.Context(), onBackend(w.t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: time.UTC, DecisionsFile: file}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
		Now: func() time.Time { return now },
	})))(w.t)
	w.Engine = e
	w.index()
}

// reopen closes the engine and opens it with decisions in the file or in front
// matter.
func (w *decisionsFileWorld) reopen(file bool) {
	w.t.Helper()
	must.Do(w.t, w.Close())
	w.open(file)
}

// loseDatabase deletes the database and the files beside it.
func (w *decisionsFileWorld) loseDatabase() {
	w.t.Helper()
	must.Do(w.t, w.Close())
	must.Do(w.t, os.RemoveAll(filepath.Dir(w.db)))
	w.open(true)
}

func (w *decisionsFileWorld) faults() memory.List[memory.Fault] {
	w.t.Helper()
	status := must.Get(w.Status(w.t.Context()))(w.t)
	return status.Workspaces[0].Faults
}

const twoMemories = "- " + heron + "\n- " + owl + "\n"

func TestDecisionsFileKeepsMarkdownUnchanged(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories, "memory/a.md": "- The ferry leaves at nine from the pier\n"})
	id, other := w.idOf(heron), w.idOf(owl)
	w.decide(decideRequest(memory.ActionForget, id))
	w.decide(decideRequest(memory.ActionPin, other))
	if w.read("MEMORY.md") != twoMemories {
		t.Errorf("MEMORY.md changed:\n%s", w.read("MEMORY.md"))
	}
	lines := w.read(memory.DecisionsFile)
	for _, want := range []string{
		`  - {id: "` + id.InFile() + `", path: "MEMORY.md", quote: "A blue heron lives by the mill pond", forgotten: 2026-11-20}`,
		`  - {id: "` + other.InFile() + `", path: "MEMORY.md", quote: "The owl in the barn hunts at dusk", pinned: true}`,
	} {
		if strings.Count(lines, want+"\n") != 1 {
			t.Errorf("%s is not in\n%s", want, lines)
		}
	}
	stats, err := w.Stats(t.Context(), memory.StatsRequest{})
	if err != nil || stats.Files != 2 {
		t.Errorf("%d files, %v", stats.Files, err)
	}
	// After the database is deleted, an index brings every decision back.
	w.loseDatabase()
	if !w.find(heron).Forgotten || !w.find(owl).Pinned || w.idOf(heron) != id || w.idOf(owl) != other || len(w.search("heron")) > 0 {
		t.Errorf("after the database was lost: %+v, %+v", w.find(heron), w.find(owl))
	}
	if f := w.faults(); len(f) != 0 {
		t.Errorf("faults: %+v", f)
	}
	w.decide(decideRequest(memory.ActionRestore, id))
	w.decide(decideRequest(memory.ActionUnpin, other))
	if lines := w.read(memory.DecisionsFile); strings.Contains(lines, "{") || w.find(heron).Forgotten || w.find(owl).Pinned {
		t.Errorf("all decisions are reversed, and the file is\n%s", lines)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo, Count: 2})
	if !w.find(heron).Forgotten || !w.find(owl).Pinned || w.read("MEMORY.md") != twoMemories {
		t.Errorf("after undo: %s", w.read(memory.DecisionsFile))
	}
}

// An unreadable or deleted file reverses nothing.
func TestHandEditOfTheDecisionsFileDecides(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories})
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	original := w.read(memory.DecisionsFile)
	steps := []struct {
		name, text string
		forgotten  bool
	}{
		{"broken", "memories: [\n", true},
		{"with conflict markers", "<<<<<<< a\n" + original + "=======\n>>>>>>> b\n", true},
		{"restored", original, true},
		{"emptied", "", true},
		{"emptied but for a comment", "# mine\n", true},
		{"restored", original, true},
		{"below another key", strings.Replace(original, "memories:", "memory:", 1), true},
		{"below a key in capitals", strings.Replace(original, "memories:", "Memories:", 1), true},
		{"without a colon", strings.Replace(original, "forgotten: ", "forgotten ", 1), true},
		{"below another document", "title: x\n---\n" + original, true},
		{"with another document", original + "---\ntitle: x\n", true},
		{"restored once more", original, true},
		{"entry removed", "memories:\n", false},
		{"entry added again", original, true},
		{"written by hand", "memories:\n- quote: The owl in the barn\n  path: MEMORY.md\n  pinned: yes\n" +
			"- quote: A blue heron lives by the mill pond\n  forgotten: true\n", true},
	}
	for _, s := range steps {
		w.write(memory.DecisionsFile, s.text)
		w.index()
		if got := w.find(heron).Forgotten; got != s.forgotten {
			t.Fatalf("%s: forgotten is %v", s.name, got)
		}
	}
	if !w.find(owl).Pinned {
		t.Error("the owl is not pinned")
	}
	must.Do(t, os.Remove(filepath.Join(w.dir, memory.DecisionsFile)))
	w.index()
	if !w.find(heron).Forgotten {
		t.Error("the decisions file was deleted, and the forgotten memory is back")
	}
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	if !strings.Contains(w.read(memory.DecisionsFile), "forgotten") {
		t.Errorf("the next decision does not write the entry again:\n%s", w.read(memory.DecisionsFile))
	}
}

// The file is deleted, and the next decision is about another memory. A text that was
// cut meanwhile keeps its line too.
func TestNextDecisionWritesTheWholeDecisionsFileAgain(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories + "- " + vault + "\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionForget, w.idOf(vault)))
	w.write("MEMORY.md", twoMemories)
	w.index()
	must.Do(t, os.Remove(filepath.Join(w.dir, memory.DecisionsFile)))
	w.index()
	a := w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	lines := w.read(memory.DecisionsFile)
	if strings.Count(lines, "forgotten: 2026") != 2 || strings.Count(lines, "pinned: true") != 1 || !strings.Contains(strings.Join(a.Notices, "\n"), "2 memories") {
		t.Errorf("notices %q, the file is\n%s", a.Notices, lines)
	}
	w.loseDatabase()
	if !w.find(heron).Forgotten || !w.find(owl).Pinned {
		t.Errorf("after the database was lost: %+v, %+v", w.find(heron), w.find(owl))
	}
}

func TestEntriesWithoutAMemoryAreKeptAndReported(t *testing.T) {
	const unmatched = `  - {id: "0123456789ab", quote: "Nobody ever wrote this sentence down", forgotten: true}` + "\n"
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories, memory.DecisionsFile: "memories:\n" + unmatched})
	f := w.faults()
	if len(f) != 2 || f[0].Path != memory.DecisionsFile || f[0].Line != 2 || !strings.Contains(f[0].Message, "0123456789ab") || !strings.Contains(f[1].Message, "the whole workspace") {
		t.Errorf("faults: %+v", f)
	}
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	if !strings.Contains(w.read(memory.DecisionsFile), unmatched) {
		t.Errorf("the entry without a memory is gone:\n%s", w.read(memory.DecisionsFile))
	}
	w.write("memory/late.md", "- Nobody ever wrote this sentence down\n")
	w.index()
	if f := w.faults(); len(f) != 0 || !w.find("Nobody ever wrote this sentence down").Forgotten {
		t.Errorf("once its memory exists: %+v", f)
	}
}

// After the setting changed, both places are read, and the next decision moves
// every entry.
func TestEntriesMoveWithTheSetting(t *testing.T) {
	const inMatter = "---\ntier: warm # mine\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"" + heron + "\", pinned: true}\n---\n"
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": inMatter + twoMemories})
	status, err := w.Status(t.Context())
	if err != nil || !w.find(heron).Pinned || !strings.Contains(strings.Join(status.Workspaces[0].Notices, "\n"), "written to memory/.decisions.yaml; the next decision does that") {
		t.Errorf("notices before the move: %+v, %v", status.Workspaces[0].Notices, err)
	}
	a := w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
	if len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "written to memory/.decisions.yaml") {
		t.Errorf("notices of the decision: %q", a.Notices)
	}
	if want := "---\ntier: warm # mine\n---\n" + twoMemories; w.read("MEMORY.md") != want || !w.find(heron).Pinned {
		t.Errorf("the front matter is\n%s", w.read("MEMORY.md"))
	}
	if n := strings.Count(w.read(memory.DecisionsFile), "\n  - {"); n != 2 {
		t.Errorf("%d entries in\n%s", n, w.read(memory.DecisionsFile))
	}
	w.reopen(false)
	w.decide(decideRequest(memory.ActionArchive, w.idOf(heron)))
	if n := strings.Count(w.read("MEMORY.md"), "\n  - {"); n != 2 || strings.Contains(w.read(memory.DecisionsFile), "{") {
		t.Errorf("with decisions in front matter again:\n%s\n%s", w.read("MEMORY.md"), w.read(memory.DecisionsFile))
	}
	if !w.find(owl).Forgotten || !w.find(heron).Pinned {
		t.Error("the move lost a decision")
	}
	if rows, err := w.Audit(t.Context(), memory.AuditRequest{Source: "file"}); err != nil || rows.Total != 0 {
		t.Errorf("the move is in the audit as a decision: %+v, %v", rows, err)
	}
}

func TestUnwritableDecisionsFileKeepsDecisionsInTheIndex(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories, memory.DecisionsFile: "memories:\n"})
	file := filepath.Join(w.dir, memory.DecisionsFile)
	must.Do(t, os.Chmod(file, 0o444))
	a := w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	if len(a.Notices) != 1 || !w.find(heron).Forgotten || w.read(memory.DecisionsFile) != "memories:\n" {
		t.Errorf("notices %q, file %s", a.Notices, w.read(memory.DecisionsFile))
	}
	must.Do(t, os.Chmod(file, 0o644))
	w.write(memory.DecisionsFile, "memories: [\n")
	r := decideRequest(memory.ActionPin, w.idOf(owl))
	if _, err := w.Decide(t.Context(), r); !errors.Is(err, memory.ErrConflict) || w.read(memory.DecisionsFile) != "memories: [\n" || w.find(owl).Pinned {
		t.Errorf("broken file: %v", err)
	}
}

// It restores even if the commit created the file. A file that was deleted without
// a commit, or never committed, reverses nothing.
func TestGitRevertOfTheDecisionsFileRestores(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories})
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = w.dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_EDITOR=true")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-qm", "begin")
	w.index()
	file := filepath.Join(w.dir, memory.DecisionsFile)
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	if err := os.Remove(file); err != nil { // as git clean does
		t.Fatal(err)
	}
	w.index()
	if !w.find(heron).Forgotten {
		t.Fatal("a file that was never committed was deleted, and the forgotten memory is back")
	}
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron))) // writes the file again
	git("add", "-A")
	git("commit", "-qm", "forget")
	must.Do(t, os.Remove(file))
	w.index()
	if !w.find(heron).Forgotten {
		t.Error("a committed file was deleted by hand, and the forgotten memory is back")
	}
	git("checkout", "-q", "--", ".")
	w.index()
	git("revert", "--no-edit", "HEAD")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("the revert keeps the file")
	}
	w.index()
	if m := w.find(heron); m.Forgotten || m.Pinned {
		t.Errorf("after the revert: %+v", m)
	}
	git("revert", "--no-edit", "HEAD")
	w.index()
	if m := w.find(heron); !m.Forgotten || !m.Pinned {
		t.Errorf("after the revert of the revert: %+v", m)
	}
	git("checkout", "-q", "-b", "side", "HEAD~2")
	w.index()
	if !w.find(heron).Forgotten {
		t.Error("the forgotten memory is back on a branch without the file")
	}
}

func TestDestroyRemovesEntriesFromTheDecisionsFile(t *testing.T) {
	w := newDecisionsFileWorld(t, map[string]string{"MEMORY.md": twoMemories})
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	r := decideRequest(memory.ActionDestroy, w.idOf(heron))
	r.Confirm = true
	a := w.decide(r)
	if a.Scan == nil || a.Scan.Found != 0 || strings.Contains(w.read(memory.DecisionsFile), "heron") || strings.Contains(w.read("MEMORY.md"), "heron") {
		t.Errorf("scan %+v\n%s", a.Scan, w.read(memory.DecisionsFile))
	}
	if !w.find(owl).Pinned || w.read("MEMORY.md") != "- "+owl+"\n" {
		t.Errorf("MEMORY.md is %s", w.read("MEMORY.md"))
	}
}
