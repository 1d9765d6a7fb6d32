package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/none"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
)

// What tells the test binary that it is the child that is to be killed: where,
// and what it is to decide.
const (
	killedRoot    = "ENGINE_TEST_KILLED_ROOT"
	killedRequest = "ENGINE_TEST_KILLED_REQUEST"
)

// TestKilledChild is no test: it decides, and is killed before it is done.
func TestKilledChild(t *testing.T) {
	root := os.Getenv(killedRoot)
	if root == "" {
		t.Skip("runs as a child of TestKilledAtEveryStep")
	}
	var r memory.DecideRequest
	if err := json.Unmarshal([]byte(os.Getenv(killedRequest)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Action == "" {
		mark(t, root, "begin")
	}
	e := openAt(t, root)
	if r.Action != "" {
		mark(t, root, "begin")
		if _, err := e.Decide(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	} else if _, err := e.Index(context.Background(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	mark(t, root, "end")
	os.Exit(0) // as abruptly as it may
}

func mark(t *testing.T, root, name string) {
	if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func openAt(t *testing.T, root string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(context.Background(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: filepath.Join(root, "notes"), DBPath: filepath.Join(root, "state", "tiered.db"), Zone: time.UTC}},
		Embedder:   none.New(), Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Now: func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func killable(root string, r memory.DecideRequest) *exec.Cmd {
	request, _ := json.Marshal(r)
	c := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	c.Env = append(os.Environ(), killedRoot+"="+root, killedRequest+"="+string(request), "GODEBUG=asyncpreemptoff=1")
	return c
}

// TestKilledAtEveryStep kills a process before each of the system calls by which
// a decision changes files. Whatever the moment, the Markdown is as it was or as
// it is to be, file by file; and after the next start all of the decision holds
// or none of it, in the files, in every answer, in the audit, and with the
// database lost.
//
// Of the many writes to SQLite's log it takes the first and the last of a run;
// with -long all of them, and more decisions.
func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	third := "A third bird was never seen at the mill"
	for _, tt := range []struct {
		name   string
		before []memory.Action // decided about the owl and the third before
		kill   memory.DecideRequest
		named  bool
		long   bool
	}{
		{"forget in two files", nil, memory.DecideRequest{Action: memory.ActionForget}, true, false},
		{"restore in two files", []memory.Action{memory.ActionForget}, memory.DecideRequest{Action: memory.ActionRestore}, true, false},
		{"pin what is archived", []memory.Action{memory.ActionArchive}, memory.DecideRequest{Action: memory.ActionPin}, true, true},
		{"undo a forgetting", []memory.Action{memory.ActionForget}, memory.DecideRequest{Action: memory.ActionUndo}, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && !*longRun {
				t.Skip("runs with -long")
			}
			k := newKilling(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n",
				"memory/a.md": "- " + heron + "\n- " + third + "\n"})
			about := []string{string(k.id(owl)), string(k.id(third))}
			for _, action := range tt.before {
				k.decide(memory.DecideRequest{Action: action, IDs: about})
			}
			if tt.named {
				tt.kill.IDs = about
			}
			k.begin(tt.kill)
			k.everyStep()
		})
	}
}

// TestKilledWhileItFinishes kills the start that completes what another process
// began, and starts again.
func TestKilledWhileItFinishes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if !*longRun {
		t.Skip("runs with -long")
	}
	k := newKilling(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	k.begin(about(memory.ActionForget, k.id(owl)))
	begun := slices.IndexFunc(k.calls, func(c call) bool { return c.name == "open" && strings.Contains(c.on, ".memory-tiered-") })
	half := k.copy(k.template)
	traced(t, killable(half, k.request), half, begun+1)
	k.template, k.request = half, memory.DecideRequest{}
	k.calls = k.record()
	k.everyStep()
}

// killing is a decision that is made again and again from the same beginning.
type killing struct {
	world
	template      string // the folder to begin from
	request       memory.DecideRequest
	calls         []call
	before, after outcome
}

// outcome is all that a decision changes.
type outcome struct {
	files string // and their texts
	facts string // what is said of every memory
	audit int
}

func newKilling(t *testing.T, files map[string]string) *killing {
	k := &killing{template: t.TempDir()}
	k.world = world{t: t, dir: filepath.Join(k.template, "notes")}
	for path, text := range files {
		k.write(path, text)
	}
	k.Engine = openAt(t, k.template)
	k.index()
	return k
}

// begin records what the decision changes when nobody interrupts it.
func (k *killing) begin(r memory.DecideRequest) {
	k.t.Helper()
	k.request, k.before = r, k.outcome()
	if err := k.Close(); err != nil {
		k.t.Fatal(err)
	}
	k.calls = k.record()
	if k.before.files == k.after.files || k.before.facts == k.after.facts || k.before.audit == k.after.audit {
		k.t.Fatalf("it changes nothing: %+v", k.after)
	}
}

func (k *killing) record() []call {
	root := k.copy(k.template)
	calls := traced(k.t, killable(root, k.request), root, 0)
	k.after = k.startAt(root)
	return calls
}

func (k *killing) everyStep() {
	inLog := func(i int) bool { return i >= 0 && i < len(k.calls) && strings.HasSuffix(k.calls[i].on, "-wal") }
	killed := 0
	for i := range k.calls {
		if *longRun || !inLog(i) || !inLog(i-1) || !inLog(i+1) {
			k.killedAt(i + 1)
			killed++
		}
	}
	k.t.Logf("%d system calls change files, killed before %d of them", len(k.calls), killed)
}

func (k *killing) killedAt(n int) {
	t := k.t
	t.Helper()
	root := k.copy(k.template)
	calls := traced(t, killable(root, k.request), root, n)
	at := fmt.Sprintf("killed before call %d, %s", n, calls[n-1])
	for path, text := range filesBelow(t, filepath.Join(root, "notes")) {
		if !strings.Contains(path, ".memory-tiered-") && !strings.Contains(k.before.files+k.after.files, path+": "+text) {
			t.Errorf("%s: %s is neither as before nor as after:\n%s", at, path, text)
		}
	}
	is := k.startAt(root)
	if is != k.before && is != k.after {
		t.Errorf("%s: the next start gives\n%+v\nbefore it was\n%+v\nand after it is\n%+v", at, is, k.before, k.after)
	}
	if err := os.Remove(filepath.Join(root, "state", "tiered.db")); err != nil {
		t.Fatal(err)
	}
	if lost := k.startAt(root); lost.files != is.files || lost.facts != is.facts {
		t.Errorf("%s: with the database lost it is\n%+v\nand was\n%+v", at, lost, is)
	}
	for path := range filesBelow(t, root) {
		if base := filepath.Base(path); strings.HasPrefix(base, ".") {
			t.Errorf("%s: %s is left over", at, path)
		}
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
}

// startAt opens what a process left behind.
func (k *killing) startAt(root string) outcome {
	w := killing{world: world{t: k.t, dir: filepath.Join(root, "notes"), Engine: openAt(k.t, root)}}
	w.index()
	o := w.outcome()
	if err := w.Close(); err != nil {
		k.t.Fatal(err)
	}
	return o
}

func (k *killing) outcome() (o outcome) {
	for path, text := range sorted(filesBelow(k.t, k.dir)) {
		o.files += path + ": " + text + "\n"
	}
	for _, forgotten := range []bool{false, true} {
		list, err := k.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}, Sort: "path"})
		if err != nil {
			k.t.Fatal(err)
		}
		for _, m := range list.Memories {
			o.facts += fmt.Sprintf("%s %s %v %v %s\n", m.ID, m.Tier, m.Pinned, m.Forgotten, m.Text)
		}
	}
	audit, err := k.Audit(context.Background(), memory.AuditRequest{})
	if err != nil {
		k.t.Fatal(err)
	}
	o.audit = audit.Total
	return o
}

func sorted(m map[string]string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

func filesBelow(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		found[strings.TrimPrefix(name, root)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (k *killing) copy(from string) string {
	k.t.Helper()
	to, err := os.MkdirTemp(k.t.TempDir(), "")
	if err == nil {
		err = os.CopyFS(to, os.DirFS(from))
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return to
}
