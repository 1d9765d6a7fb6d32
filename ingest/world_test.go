package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/workspace"
)

// testingT is implemented by *testing.T and *rapid.T.
type testingT interface {
	Helper()
	Fatalf(format string, args ...any)
}

// world is a real folder with a real index.
type world struct {
	t      testingT
	dir    string
	folder *workspace.Workspace
	state  string
	db     *index.DB
	source ingest.Source
	now    time.Time
	opens  int
	batch  memory.Batch // the last batch applied

	sliceSize int                // of the ingester; 0: the default
	interrupt func() int         // nil, or how many transactions an attempt before each scan makes until it is killed
	applied   func(memory.Batch) // called after each transaction
	killAfter int                // transactions until Apply fails; 0: never
}

var errKilled = errors.New("killed")

var workspaceOptions = workspace.Options{MaxBytes: 1 << 20}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := openWorld(t, t.TempDir(), t.TempDir())
	t.Cleanup(w.close)
	return w
}

func openWorld(t testingT, dir, state string) *world {
	t.Helper()
	w := &world{t: t, dir: dir, state: state, now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	w.configure(workspaceOptions)
	w.open()
	return w
}

func (w *world) configure(o workspace.Options) {
	folder, err := workspace.Open(w.dir, o)
	w.must(err)
	if w.folder != nil {
		w.must(w.folder.Close())
	}
	w.folder, w.source = folder, folder
}

func (w *world) open() {
	db, err := index.Open(context.Background(), filepath.Join(w.state, fmt.Sprintf("%d.db", w.opens)), index.Options{})
	w.must(err)
	w.db = db
	w.opens++
}

func (w *world) close() {
	w.must(w.db.Close())
	w.must(w.folder.Close())
}

// loseDatabase deletes the database.
func (w *world) loseDatabase() {
	w.must(w.db.Close())
	w.open()
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v", err)
	}
}

// write writes a file from lines; no lines remove it.
func (w *world) write(path string, lines ...string) {
	w.t.Helper()
	name := filepath.Join(w.dir, path)
	if lines == nil {
		w.must(os.Remove(name))
		return
	}
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

// Apply records the batch for the tests.
func (w *world) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	w.batch = b
	if w.killAfter > 0 {
		if w.killAfter--; w.killAfter == 0 {
			return errKilled
		}
	}
	err := w.db.Apply(ctx, now, b)
	if w.applied != nil {
		w.applied(b)
	}
	return err
}

type recordingStore struct {
	*index.DB
	*world
}

func (r recordingStore) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	return r.world.Apply(ctx, now, b)
}

func (w *world) tryIndex(force bool, paths ...string) (memory.IndexAnswer, error) {
	w.now = w.now.Add(time.Minute)
	w.batch = memory.Batch{}
	in := ingest.New(recordingStore{w.db, w}, w.source, ingest.Options{SliceSize: w.sliceSize})
	if w.interrupt != nil {
		w.killAfter = w.interrupt()
		if _, err := in.Ingest(context.Background(), w.now, paths, force, nil); err != nil && !errors.Is(err, errKilled) {
			return memory.IndexAnswer{}, err
		}
		w.killAfter = 0
	}
	return in.Ingest(context.Background(), w.now, paths, force, nil)
}

// scan indexes all changes, or those at the given paths.
func (w *world) scan(paths ...string) memory.IndexAnswer {
	w.t.Helper()
	a, err := w.tryIndex(false, paths...)
	w.must(err)
	return a
}

func (w *world) reindex() memory.IndexAnswer {
	w.t.Helper()
	w.must(w.db.Reset(context.Background(), w.now))
	a, err := w.tryIndex(true)
	w.must(err)
	return a
}

func (w *world) list(p memory.Predicate) []memory.Memory {
	w.t.Helper()
	p.Archive, p.Forgotten = true, memory.Include
	all, _, err := w.db.List(context.Background(), p, "", 0, 0)
	w.must(err)
	return all
}

// ids returns the memory of every text. Copies of one text are numbered in the
// order of their ids.
func (w *world) ids() map[string]memory.ID {
	w.t.Helper()
	all := w.list(memory.Predicate{})
	slices.SortFunc(all, func(a, b memory.Memory) int { return strings.Compare(string(a.ID), string(b.ID)) })
	out := map[string]memory.ID{}
	for _, m := range all {
		name := m.Text
		for n := 2; out[name] != ""; n++ {
			name = fmt.Sprintf("%s (%d)", m.Text, n)
		}
		out[name] = m.ID
	}
	return out
}

func (w *world) memory(text string) memory.Memory {
	w.t.Helper()
	for _, m := range w.list(memory.Predicate{Missing: memory.Include}) {
		if m.Text == text {
			return m
		}
	}
	w.t.Fatalf("no memory has the text %q", text)
	return memory.Memory{}
}

// entry formats a front-matter entry about a memory.
func entry(m memory.Memory, words string) string {
	return fmt.Sprintf("  - {id: %q, quote: %q, %s}", m.ID.InFile(), quote(m.Text), words)
}

func quote(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(8, len(words))], " ")
}

func (w *world) faults() []string {
	w.t.Helper()
	files, err := w.db.Files(context.Background())
	w.must(err)
	var out []string
	for _, f := range files {
		for _, fault := range f.Faults {
			out = append(out, fmt.Sprintf("%s:%d: %s", fault.Path, fault.Line, fault.Message))
		}
	}
	return out
}

// git runs git in the workspace with fixed settings.
func (w *world) git(args ...string) {
	w.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=Lena", "GIT_AUTHOR_EMAIL=lena@example.org", "GIT_COMMITTER_NAME=Lena", "GIT_COMMITTER_EMAIL=lena@example.org")
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func (w *world) commit(message string) {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "-m", message)
}

func sameIDs(t testingT, what string, got, want map[string]memory.ID) {
	t.Helper()
	var wrong []string
	for text, id := range want {
		if got[text] != id {
			wrong = append(wrong, fmt.Sprintf("%q was %s and is %s", text, id.Short(), got[text].Short()))
		}
	}
	slices.Sort(wrong)
	if len(wrong) > 0 {
		t.Fatalf("%s: %d of %d ids differ:\n%s", what, len(wrong), len(want), strings.Join(wrong[:min(5, len(wrong))], "\n"))
	}
}

func fingerprint(text string) memory.Fingerprint { return chunker.Fingerprint(text) }
