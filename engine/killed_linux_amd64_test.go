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
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/extracting"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/modelserver"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// Environment variables that make the test binary the child to be killed: its
// folder, and the decision.
const (
	killedRoot    = "ENGINE_TEST_KILLED_ROOT"
	killedRequest = "ENGINE_TEST_KILLED_REQUEST"
)

// TestKilledChild is the child process: it decides, and its parent kills it
// meanwhile.
func TestKilledChild(t *testing.T) {
	root := os.Getenv(killedRoot)
	if root == "" {
		t.Skip("runs as a child of the tests below")
	}
	stopAtWriteCalls(t)
	r := requestOfChild(t)
	onlyStarts := r.Action == "" && r.Store == nil && r.Extract == nil
	if onlyStarts {
		touchFile(t, root, "begin")
	}
	e := openAt(t, root)
	if !onlyStarts {
		touchFile(t, root, "begin")
		must.Do(t, r.run(e))
	} else if _, err := e.Index(context.Background(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	touchFile(t, root, "end")
	os.Exit(0) // without closing anything
}

// childRequest is what a child process does.
type childRequest struct {
	memory.DecideRequest
	Store   *memory.StoreRequest // instead of the decision
	Extract *memory.CaptureRequest
}

func requestOfChild(t *testing.T) (r childRequest) {
	must.Do(t, json.Unmarshal([]byte(os.Getenv(killedRequest)), &r))
	return r
}

func (r childRequest) run(e *engine.Engine) (err error) {
	if r.Extract != nil {
		_, err = e.Extract(context.Background(), *r.Extract, nil)
	} else if r.Store != nil {
		_, err = e.Store(context.Background(), *r.Store)
	} else {
		_, err = e.Decide(context.Background(), r.DecideRequest)
	}
	return err
}

func touchFile(t *testing.T, root, name string) {
	must.Do(t, os.WriteFile(filepath.Join(root, name), nil, 0o644))
}

func openAt(t *testing.T, root string) *engine.Engine {
	t.Helper()
	e := must.Get(engine.Open(context.Background(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: filepath.Join(root, "notes"), DBPath: filepath.Join(root, "state", "tiered.db"), Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Now: func() time.Time { return now }, Server: indextest.Server(),
		Language: engine.LanguageModel{Base: "http://localhost", Name: "scripted", TokensPerDay: 100_000, Open: func(context.Context, engine.LanguageModel) (extracting.Model, error) {
			return &scripted{taken: modelserver.Completion{In: 300, Out: 40}}, nil
		}},
	}))(t)
	return e
}

func childCommand(root string, r childRequest) *exec.Cmd {
	request, _ := json.Marshal(r)
	c := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	c.Env = append(os.Environ(), killedRoot+"="+root, killedRequest+"="+string(request), "GODEBUG=asyncpreemptoff=1")
	return c
}

// It kills a process before each of the system calls by which a decision changes
// files. At any moment, each Markdown file has its old content or its new one.
// After the next start the decision holds wholly or not at all. This is so in
// the files, in every answer, in the audit, and with the database lost.
//
// It takes every third call, and of the many writes to SQLite's log only the first and the
// last of a run. With -long it takes all, and more decisions.
func TestDecisionKilledAtEveryCallHoldsWhollyOrNotAtAll(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	third := "A third bird was never seen at the mill"
	for _, tt := range []struct {
		name    string
		before  []memory.Action // decided about the owl and the third memory before
		request memory.DecideRequest
		byIDs   bool
		long    bool
	}{
		{"forget in two files", nil, memory.DecideRequest{Action: memory.ActionForget}, true, false},
		{"restore in two files", []memory.Action{memory.ActionForget}, memory.DecideRequest{Action: memory.ActionRestore}, true, false},
		{"pin an archived memory", []memory.Action{memory.ActionArchive}, memory.DecideRequest{Action: memory.ActionPin}, true, true},
		{"undo forget", []memory.Action{memory.ActionForget}, memory.DecideRequest{Action: memory.ActionUndo}, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && !*longRun {
				t.Skip("runs with -long")
			}
			t.Parallel()
			k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n",
				"memory/a.md": "- " + heron + "\n- " + third + "\n"})
			ids := []string{string(k.idOf(owl)), string(k.idOf(third))}
			for _, action := range tt.before {
				k.decide(memory.DecideRequest{Action: action, IDs: ids})
			}
			if tt.byIDs {
				tt.request.IDs = ids
			}
			k.recordDecision(tt.request)
			k.killAtEveryCall()
		})
	}
}

// It kills the start that completes an interrupted decision, and starts again.
func TestResumeKilledAtEveryCallCompletesTheDecision(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	if !*longRun {
		t.Skip("runs with -long")
	}
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	k.recordDecision(decideRequest(memory.ActionForget, k.idOf(owl)))
	begun := slices.IndexFunc(k.calls, func(c call) bool { return c.name == "open" && strings.Contains(c.path, ".memory-tiered-") })
	half := k.copy(k.template)
	traceCalls(t, childCommand(half, k.request), half, fault{at: begun + 1})
	k.template, k.request = half, childRequest{}
	k.calls = k.recordCalls()
	k.killAtEveryCall()
}

// killTest is a decision that runs again and again from the same folder.
type killTest struct {
	world
	template      string // the folder to copy
	request       childRequest
	calls         []call
	before, after outcome
}

// outcome is everything that a decision changes.
type outcome struct {
	Files    string // with their texts; without temporary files
	Memories string // with their states
	Recalled string // the texts that a prompt with the same words gets
	Audit    int
}

func newKillTest(t *testing.T, files map[string]string) *killTest {
	k := &killTest{template: t.TempDir()}
	k.world = world{t: t, dir: filepath.Join(k.template, "notes")}
	for path, text := range files {
		k.write(path, text)
	}
	k.Engine = openAt(t, k.template)
	k.index()
	return k
}

// recordDecision records what the uninterrupted decision changes.
func (k *killTest) recordDecision(r memory.DecideRequest) {
	k.t.Helper()
	k.record(childRequest{DecideRequest: r})
	if k.before.Memories == k.after.Memories {
		k.t.Fatalf("the decision changes no state: %+v", k.after)
	}
}

// record records what the uninterrupted request changes.
func (k *killTest) record(r childRequest) {
	k.t.Helper()
	k.request, k.before = r, k.outcome()
	must.Do(k.t, k.Close())
	k.calls = k.recordCalls()
	if k.before.Files == k.after.Files {
		k.t.Fatalf("the decision changes nothing: %+v", k.after)
	}
}

func (k *killTest) recordCalls() []call {
	root := k.copy(k.template)
	calls := traceCalls(k.t, childCommand(root, k.request), root, fault{})
	k.after = k.reopenAt(root)
	return calls
}

func (k *killTest) killAtEveryCall() {
	inLog := func(i int) bool { return i >= 0 && i < len(k.calls) && strings.HasSuffix(k.calls[i].path, "-wal") }
	killed, step := 0, inLongRun(3, 1)
	for i := property.Number(step); i < len(k.calls); i += step {
		if *longRun || !inLog(i) || !inLog(i-1) || !inLog(i+1) {
			k.killAt(i + 1)
			killed++
		}
	}
	k.t.Logf("%d system calls change files; killed before %d of them", len(k.calls), killed)
}

func (k *killTest) killAt(n int) {
	t := k.t
	t.Helper()
	root := k.copy(k.template)
	calls := traceCalls(t, childCommand(root, k.request), root, fault{at: n})
	at := fmt.Sprintf("killed before call %d, %s", n, calls[n-1])
	for path, text := range filesBelow(t, filepath.Join(root, "notes")) {
		if !strings.Contains(path, ".memory-tiered-") && !strings.Contains(k.before.Files+k.after.Files, path+": "+text) {
			t.Errorf("%s: %s has neither its old nor its new content:\n%s", at, path, text)
		}
	}
	got := k.reopenAt(root)
	if got != k.before && got != k.after {
		t.Errorf("%s: the next start gives\n%+v\nbefore the decision\n%+v\nafter it\n%+v", at, got, k.before, k.after)
	}
	must.Do(t, os.Remove(filepath.Join(root, "state", "tiered.db")))
	if lost := k.reopenAt(root); lost.Files != got.Files || lost.Memories != got.Memories {
		t.Errorf("%s: with the database lost\n%+v\nbefore that\n%+v", at, lost, got)
	}
	for path := range filesBelow(t, root) {
		if base := filepath.Base(path); strings.HasPrefix(base, ".") {
			t.Errorf("%s: %s is left over", at, path)
		}
	}
	must.Do(t, os.RemoveAll(root))
}

// reopenAt opens the folder that a process left.
func (k *killTest) reopenAt(root string) outcome {
	w := killTest{world: world{t: k.t, dir: filepath.Join(root, "notes"), Engine: openAt(k.t, root)}}
	w.index()
	o := w.outcome()
	must.Do(k.t, w.Close())
	return o
}

func (k *killTest) outcome() (o outcome) {
	texts := map[string]bool{}
	for path, text := range sorted(filesBelow(k.t, k.dir)) {
		if !strings.Contains(path, ".memory-tiered-") {
			o.Files += path + ": " + text + "\n"
		}
	}
	for _, forgotten := range []bool{false, true} {
		list := must.Get(k.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}, Sort: "path"}))(k.t)
		for _, m := range list.Memories {
			o.Memories += fmt.Sprintf("%s %s %v %v %s\n", m.ID, m.Tier, m.Pinned, m.Forgotten, m.Text)
			texts[m.Text] = true
		}
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		record := false
		answer := must.Get(k.Recall(context.Background(), memory.RecallRequest{Prompt: text, Record: &record}))(k.t)
		if strings.Contains(answer.Context, text) {
			o.Recalled += text + "\n"
		}
	}
	audit := must.Get(k.Audit(context.Background(), memory.AuditRequest{}))(k.t)
	o.Audit = audit.Total
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
	must.Do(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		found[strings.TrimPrefix(name, root)] = string(text)
		return err
	}))
	return found
}

func (k *killTest) copy(from string) string {
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
