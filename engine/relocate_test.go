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
	"github.com/memory-tiered/memory/embed/none"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// apart is an engine over a workspace whose decisions stand in a file of their
// own, or, after turning, in front matter.
type apart struct{ world }

func newApart(t *testing.T, files map[string]string) *apart {
	w := &apart{world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}}
	for path, text := range files {
		w.write(path, text)
	}
	w.open(true)
	t.Cleanup(func() { _ = w.Close() }) // turn and lose close it as well
	return w
}

func (w *apart) open(file bool) {
	w.t.Helper()
	e, err := engine.Open(w.t.Context(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: time.UTC, DecisionsFile: file}},
		Embedder:   none.New(), Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
		Now: func() time.Time { return now },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.Engine = e
	w.index()
}

// turn opens the workspace with the other place for decisions.
func (w *apart) turn(file bool) {
	w.t.Helper()
	if err := w.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open(file)
}

// lose throws the database away, and what lies beside it.
func (w *apart) lose() {
	w.t.Helper()
	if err := w.Close(); err != nil {
		w.t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(w.db)); err != nil {
		w.t.Fatal(err)
	}
	w.open(true)
}

func (w *apart) faults() memory.List[memory.Fault] {
	w.t.Helper()
	status, err := w.Status(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return status.Workspaces[0].Faults
}

const plainBirds = "- " + heron + "\n- " + owl + "\n"

func TestDecisionsInAFileOfTheirOwn(t *testing.T) {
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds, "memory/a.md": "- The ferry leaves at nine from the pier\n"})
	id, other := w.id(heron), w.id(owl)
	w.decide(about(memory.ActionForget, id))
	w.decide(about(memory.ActionPin, other))
	if w.read("MEMORY.md") != plainBirds {
		t.Errorf("the Markdown was touched:\n%s", w.read("MEMORY.md"))
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
	stats, err := w.Stats(t.Context(), "")
	if err != nil || stats.Files != 2 {
		t.Errorf("%d files, %v", stats.Files, err)
	}
	// Delete the database, index again: every decision is back.
	w.lose()
	if !w.state(heron).Forgotten || !w.state(owl).Pinned || w.id(heron) != id || w.id(owl) != other || len(w.search("heron")) > 0 {
		t.Errorf("after the database was lost: %+v, %+v", w.state(heron), w.state(owl))
	}
	if f := w.faults(); len(f) != 0 {
		t.Errorf("faults: %+v", f)
	}
	w.decide(about(memory.ActionRestore, id))
	w.decide(about(memory.ActionUnpin, other))
	if lines := w.read(memory.DecisionsFile); strings.Contains(lines, "{") || w.state(heron).Forgotten || w.state(owl).Pinned {
		t.Errorf("nothing is decided any more, and the file says\n%s", lines)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo, Count: 2})
	if !w.state(heron).Forgotten || !w.state(owl).Pinned || w.read("MEMORY.md") != plainBirds {
		t.Errorf("undone: %s", w.read(memory.DecisionsFile))
	}
}

// A hand edit of the file is a decision; what is in no state to be read, or
// gone, was not taken back.
func TestEditingTheFileOfDecisions(t *testing.T) {
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds})
	w.decide(about(memory.ActionForget, w.id(heron)))
	whole := w.read(memory.DecisionsFile)
	steps := []struct {
		name, text string
		forgotten  bool
	}{
		{"broken", "memories: [\n", true},
		{"with conflict markers", "<<<<<<< a\n" + whole + "=======\n>>>>>>> b\n", true},
		{"whole again", whole, true},
		{"the line taken out", "memories:\n", false},
		{"put back", whole, true},
		{"as a person writes it", "memories:\n- quote: The owl in the barn\n  path: MEMORY.md\n  pinned: yes\n" +
			"- quote: A blue heron lives by the mill pond\n  forgotten: true\n", true},
	}
	for _, s := range steps {
		w.write(memory.DecisionsFile, s.text)
		w.index()
		if got := w.state(heron).Forgotten; got != s.forgotten {
			t.Fatalf("%s: forgotten is %v", s.name, got)
		}
	}
	if !w.state(owl).Pinned {
		t.Error("the owl is not pinned")
	}
	if err := os.Remove(filepath.Join(w.dir, memory.DecisionsFile)); err != nil {
		t.Fatal(err)
	}
	w.index()
	if !w.state(heron).Forgotten {
		t.Error("the file was lost, and with it what was forgotten")
	}
	w.decide(about(memory.ActionPin, w.id(heron)))
	if !strings.Contains(w.read(memory.DecisionsFile), "forgotten") {
		t.Errorf("the next decision does not write it again:\n%s", w.read(memory.DecisionsFile))
	}
}

func TestDecisionsAboutNothingAreKeptAndReported(t *testing.T) {
	const stray = `  - {id: "0123456789ab", quote: "Nobody ever wrote this sentence down", forgotten: true}` + "\n"
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds, memory.DecisionsFile: "memories:\n" + stray})
	f := w.faults()
	if len(f) != 1 || f[0].Path != memory.DecisionsFile || f[0].Line != 2 || !strings.Contains(f[0].Message, "Nobody ever wrote") {
		t.Errorf("faults: %+v", f)
	}
	w.decide(about(memory.ActionPin, w.id(heron)))
	if !strings.Contains(w.read(memory.DecisionsFile), stray) {
		t.Errorf("the line is gone:\n%s", w.read(memory.DecisionsFile))
	}
	w.write("memory/late.md", "- Nobody ever wrote this sentence down\n")
	w.index()
	if f := w.faults(); len(f) != 0 || !w.state("Nobody ever wrote this sentence down").Forgotten {
		t.Errorf("it is there now: %+v", f)
	}
}

// After the place was changed both are read, and the next decision brings every
// line home.
func TestTheLinesMoveWithTheSetting(t *testing.T) {
	const inMatter = "---\ntier: warm # mine\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"" + heron + "\", pinned: true}\n---\n"
	w := newApart(t, map[string]string{"MEMORY.md": inMatter + plainBirds})
	status, err := w.Status(t.Context())
	if err != nil || !w.state(heron).Pinned || !strings.Contains(strings.Join(status.Workspaces[0].Notices, "\n"), "the next decision moves them") {
		t.Errorf("%+v, %v", status.Workspaces[0].Notices, err)
	}
	a := w.decide(about(memory.ActionForget, w.id(owl)))
	if len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "moved to memory/.decisions.yaml") {
		t.Errorf("notices: %q", a.Notices)
	}
	if want := "---\ntier: warm # mine\n---\n" + plainBirds; w.read("MEMORY.md") != want || !w.state(heron).Pinned {
		t.Errorf("the front matter is now\n%s", w.read("MEMORY.md"))
	}
	if n := strings.Count(w.read(memory.DecisionsFile), "\n  - {"); n != 2 {
		t.Errorf("%d lines in\n%s", n, w.read(memory.DecisionsFile))
	}
	w.turn(false)
	w.decide(about(memory.ActionArchive, w.id(heron)))
	if n := strings.Count(w.read("MEMORY.md"), "\n  - {"); n != 2 || strings.Contains(w.read(memory.DecisionsFile), "{") {
		t.Errorf("back in front matter:\n%s\n%s", w.read("MEMORY.md"), w.read(memory.DecisionsFile))
	}
	if !w.state(owl).Forgotten || !w.state(heron).Pinned {
		t.Error("something was lost on the way")
	}
	if rows, err := w.Audit(t.Context(), memory.AuditRequest{Source: "file"}); err != nil || rows.Total != 0 {
		t.Errorf("moving is no decision: %+v, %v", rows, err)
	}
}

// What cannot be written keeps the decision in the index.
func TestAFileOfDecisionsThatCannotBeWritten(t *testing.T) {
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds, memory.DecisionsFile: "memories:\n"})
	file := filepath.Join(w.dir, memory.DecisionsFile)
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	a := w.decide(about(memory.ActionForget, w.id(heron)))
	if len(a.Notices) != 1 || !w.state(heron).Forgotten || w.read(memory.DecisionsFile) != "memories:\n" {
		t.Errorf("%q, %s", a.Notices, w.read(memory.DecisionsFile))
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	w.write(memory.DecisionsFile, "memories: [\n")
	r := about(memory.ActionPin, w.id(owl))
	if _, err := w.Decide(t.Context(), r); !errors.Is(err, memory.ErrConflict) || w.read(memory.DecisionsFile) != "memories: [\n" || w.state(owl).Pinned {
		t.Errorf("broken: %v", err)
	}
}

// git revert of a forgetting restores, be it that the commit made the file; a
// file that is merely deleted, or was never committed, takes nothing back.
func TestRevertingAForgettingInTheFileOfDecisions(t *testing.T) {
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds})
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
	w.decide(about(memory.ActionForget, w.id(heron)))
	if err := os.Remove(file); err != nil { // as git clean does
		t.Fatal(err)
	}
	w.index()
	if !w.state(heron).Forgotten {
		t.Fatal("a file that was never committed is gone, and with it what was forgotten")
	}
	w.decide(about(memory.ActionPin, w.id(heron))) // writes it again
	git("add", "-A")
	git("commit", "-qm", "forget")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.index()
	if !w.state(heron).Forgotten {
		t.Error("a committed file was deleted by hand, and with it what was forgotten")
	}
	git("checkout", "-q", "--", ".")
	w.index()
	git("revert", "--no-edit", "HEAD")
	if _, err := os.Stat(file); err == nil {
		t.Fatal("the revert leaves the file")
	}
	w.index()
	if m := w.state(heron); m.Forgotten || m.Pinned {
		t.Errorf("reverted: %+v", m)
	}
	git("revert", "--no-edit", "HEAD")
	w.index()
	if m := w.state(heron); !m.Forgotten || !m.Pinned {
		t.Errorf("the revert reverted: %+v", m)
	}
	git("checkout", "-q", "-b", "side", "HEAD~2")
	w.index()
	if !w.state(heron).Forgotten {
		t.Error("on another branch, which lacks the file, it is back")
	}
}

// Destroying takes the line with its quote out of the file, too.
func TestDestroyingWithAFileOfDecisions(t *testing.T) {
	w := newApart(t, map[string]string{"MEMORY.md": plainBirds})
	w.decide(about(memory.ActionForget, w.id(heron)))
	w.decide(about(memory.ActionPin, w.id(owl)))
	r := about(memory.ActionDestroy, w.id(heron))
	r.Confirm = true
	a := w.decide(r)
	if a.Scan == nil || a.Scan.Found != 0 || strings.Contains(w.read(memory.DecisionsFile), "heron") || strings.Contains(w.read("MEMORY.md"), "heron") {
		t.Errorf("%+v\n%s", a.Scan, w.read(memory.DecisionsFile))
	}
	if !w.state(owl).Pinned || w.read("MEMORY.md") != "- "+owl+"\n" {
		t.Errorf("the owl: %s", w.read("MEMORY.md"))
	}
}
