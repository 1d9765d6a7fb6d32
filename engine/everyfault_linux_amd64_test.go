package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// third is a memory in the second file.
const third = "A third bird was never seen at the mill"

// faultCommands are the commands that write. Each runs on two files: the heron and the
// owl are in one, another copy of the owl and the third memory in the other.
var faultCommands = []struct {
	name    string
	before  []memory.DecideRequest // without ids: about the same memories
	request memory.DecideRequest
	texts   []string // of the memories, by their first copies
	store   *memory.StoreRequest
}{
	{name: "forget", request: memory.DecideRequest{Action: memory.ActionForget}, texts: []string{owl}},
	{name: "forget two", request: memory.DecideRequest{Action: memory.ActionForget}, texts: []string{heron, third}},
	{name: "restore", before: actions(memory.ActionForget), request: memory.DecideRequest{Action: memory.ActionRestore}, texts: []string{owl}},
	{name: "restore two lines of a text", before: actions(memory.ActionForget), request: memory.DecideRequest{Action: memory.ActionRestore}, texts: []string{owl, owl}},
	{name: "pin", request: memory.DecideRequest{Action: memory.ActionPin}, texts: []string{third}},
	{name: "pin two", request: memory.DecideRequest{Action: memory.ActionPin}, texts: []string{owl, third}},
	{name: "unpin", before: actions(memory.ActionPin), request: memory.DecideRequest{Action: memory.ActionUnpin}, texts: []string{third}},
	{name: "promote", before: actions(memory.ActionArchive), request: memory.DecideRequest{Action: memory.ActionPromote}, texts: []string{third}},
	{name: "demote", request: memory.DecideRequest{Action: memory.ActionDemote}, texts: []string{owl}},
	{name: "archive", request: memory.DecideRequest{Action: memory.ActionArchive}, texts: []string{owl}},
	{name: "destroy", request: memory.DecideRequest{Action: memory.ActionDestroy, Confirm: true}, texts: []string{owl}},
	{name: "destroy a forgotten text", before: actions(memory.ActionForget), request: memory.DecideRequest{Action: memory.ActionDestroy, Confirm: true}, texts: []string{owl}},
	{name: "undo forget", before: actions(memory.ActionForget), request: memory.DecideRequest{Action: memory.ActionUndo}, texts: []string{owl}},
	{name: "undo restore", before: actions(memory.ActionForget, memory.ActionRestore), request: memory.DecideRequest{Action: memory.ActionUndo}, texts: []string{owl}},
	{name: "undo archive", before: actions(memory.ActionArchive), request: memory.DecideRequest{Action: memory.ActionUndo}, texts: []string{third}},
	{name: "store", store: &memory.StoreRequest{Text: "A kestrel was stored at noon"}},
	{name: "store a pinned memory", store: &memory.StoreRequest{Text: "A kestrel was stored at noon", Pinned: true}},
}

func actions(list ...memory.Action) (requests []memory.DecideRequest) {
	for _, a := range list {
		requests = append(requests, memory.DecideRequest{Action: a})
	}
	return requests
}

// It makes each system call fail by which a command changes files, with both errors of
// a failing disk, once or from then on. The command reports what it did, each Markdown
// file has its old content or its new one, and no forgotten text is recalled. The next
// start gives what was answered, leaves no temporary file, and further commands work.
//
// It takes another sample of the calls each time. With -long it takes all.
func TestEveryFailingCallKeepsThePromises(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	var counting sync.Mutex
	total := faultCount{}
	t.Cleanup(func() {
		t.Logf("%d faults, %d with every promise kept; %d commands succeeded anyway, %d failed without effect, %d in part, %d were finished by the next start",
			total.runs, total.kept, total.succeeded, total.failed, total.partly, total.begun)
	})
	for _, tt := range faultCommands {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + owl + "\n- " + third + "\n"})
			var ids []string
			for i, text := range tt.texts {
				ids = append(ids, string(k.idsOf(text)[min(i, len(k.idsOf(text))-1)]))
			}
			for _, r := range tt.before {
				r.IDs = ids
				k.decide(r)
			}
			if tt.request.Action != memory.ActionUndo {
				tt.request.IDs = ids
			}
			f := faultTest{killTest: k}
			if tt.store != nil {
				k.record(childRequest{Store: &memory.StoreRequest{Text: tt.store.Text}})
				f.textOnly = k.after
				k.Engine = openAt(t, k.template)
			}
			k.record(childRequest{DecideRequest: tt.request, Store: tt.store})
			f.runAll()
			counting.Lock()
			defer counting.Unlock()
			total.add(f.faultCount)
		})
	}
}

// faultCount counts runs with a fault.
type faultCount struct{ runs, kept, succeeded, failed, partly, begun int }

func (c *faultCount) add(more faultCount) {
	c.runs, c.kept, c.succeeded = c.runs+more.runs, c.kept+more.kept, c.succeeded+more.succeeded
	c.failed, c.partly, c.begun = c.failed+more.failed, c.partly+more.partly, c.begun+more.begun
}

// faultTest runs one command with many faults.
type faultTest struct {
	*killTest
	faultCount
	textOnly outcome  // of store without a state
	problems []string // of the present run
}

// faultKinds are the ways in which a call fails.
var faultKinds = []fault{{errno: syscall.EIO}, {errno: syscall.ENOSPC}, {errno: syscall.EIO, stays: true}, {errno: syscall.ENOSPC, stays: true}}

// runAll lets calls fail. With -long these are all calls, in all ways; the many writes
// to SQLite's log each fail in one way. A disk that never recovers while a commit is in the log
// cannot be mended: the next start may read that commit. Without it, it is a sample of them.
func (f *faultTest) runAll() {
	f.t.Helper()
	var faults []fault
	for i, c := range f.calls {
		for n, kind := range faultKinds {
			if kind.at = i + 1; !strings.HasSuffix(c.path, "-wal") || c.name == "sync" && !kind.stays || n == i%len(faultKinds) {
				faults = append(faults, kind)
			}
		}
	}
	step := inLongRun(len(faults)/2, 1)
	for i := property.Number(step); i < len(faults); i += step {
		f.run(faults[i], faults[i].errno == syscall.EIO)
	}
}

// run runs the command with one fault. If goOn, the same process gets further commands.
func (f *faultTest) run(fault fault, goOn bool) {
	f.t.Helper()
	f.problems = nil
	var env []string
	if goOn {
		env = []string{faultyHealthy + "=yes"}
	}
	root, report, failed := f.runWithFault(fault, env...)
	defer func() {
		must.Do(f.t, os.RemoveAll(root))
	}()
	want := f.checkReport(report)
	if goOn {
		f.checkHealthy("in the same process", report.Healthy, report.Problem, want)
	}
	f.checkRestart(root, want)
	f.runs++
	if len(f.problems) == 0 {
		f.kept++
		return
	}
	f.t.Errorf("call %d, %s, %v, stays %v, go on %v: the answer is %q (%s)\n  %s", fault.at, failed, fault.errno, fault.stays, goOn, report.Err, report.Kind,
		strings.Join(f.problems, "\n  "))
}

func (f *faultTest) problem(format string, args ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, args...))
}

// checkReport checks the answer against what the command did. It returns what the next
// start has to give.
func (f *faultTest) checkReport(r faultReport) (want outcome) {
	now, partly := r.Outcome, strings.Contains(r.Err, " memories were not ")
	begun := strings.Contains(r.Err, "has begun") || strings.Contains(r.Err, "was written, but the disk")
	if r.Err != "" && r.Kind != "unavailable" {
		f.problem("the error is a %s", r.Kind)
	}
	f.checkFiles(r.Notes)
	switch {
	case r.Err == "":
		f.succeeded++
		f.checkSame("it succeeded with", now, f.after)
		return f.after
	case begun || strings.Contains(r.Err, "not destroyed"):
		f.begun++
		f.checkRecalled(now.Recalled)
		return f.after
	case strings.Contains(r.Err, "was written to "):
		f.begun++
		f.checkRecalled(now.Recalled)
		return f.textOnly
	case partly:
		f.partly++
		return now
	}
	f.failed++
	f.checkSame("it failed with", now, f.before)
	return f.before
}

// checkSame compares two outcomes.
func (f *faultTest) checkSame(when string, got, want outcome) {
	if got.Files != want.Files || got.Memories != want.Memories || got.Recalled != want.Recalled {
		f.problem("%s:\n%+v\n  want\n%+v", when, got, want)
	}
}

// checkHealthy checks what further commands give.
func (f *faultTest) checkHealthy(when string, got outcome, problem string, want outcome) {
	if problem != "" {
		f.problem("%s, further commands fail: %s", when, problem)
		return
	}
	f.checkSame(when+", further commands give", got, want)
}

// checkFiles checks that each file has its old content or its new one.
func (f *faultTest) checkFiles(notes map[string]string) {
	for path, text := range notes {
		if !strings.Contains(path, ".memory-tiered-") && !strings.Contains(f.before.Files+f.textOnly.Files+f.after.Files, path+": "+text) {
			f.problem("%s has neither its old nor its new content:\n%s", path, text)
		}
	}
}

// checkRecalled checks that no text is recalled that the decision hides.
func (f *faultTest) checkRecalled(recalled string) {
	for text := range strings.Lines(recalled) {
		if !strings.Contains(f.after.Recalled, text) {
			f.problem("recalled: %s", text)
		}
	}
}

// checkRestart checks the next start and a further command.
func (f *faultTest) checkRestart(root string, want outcome) {
	f.t.Helper()
	f.checkSame("the next start gives", f.reopenAt(root), want)
	for path := range filesBelow(f.t, root) {
		if strings.HasPrefix(filepath.Base(path), ".") {
			f.problem("%s is left over", path)
		}
	}
	next := killTest{world: world{t: f.t, dir: filepath.Join(root, "notes"), Engine: openAt(f.t, root)}}
	healthy, problem := next.tryHealthy()
	f.checkHealthy("after the next start", healthy, problem, want)
	if err := next.Close(); err != nil {
		f.problem("close: %v", err)
	}
}

// tryHealthy gives commands that have nothing in their way: it moves the heron to
// another tier and takes that back. It returns the outcome, or what is wrong.
func (k *killTest) tryHealthy() (o outcome, problem string) {
	if _, err := k.Index(context.Background(), memory.IndexRequest{}, nil); err != nil {
		return o, fmt.Sprintf("index: %v", err)
	}
	move := memory.DecideRequest{Action: memory.ActionDemote, Tier: memory.TierCold, IDs: []string{k.someID()}}
	moved, err := k.Decide(context.Background(), move)
	if err != nil || len(moved.Changed) != 1 || moved.Changed[0].Tier != memory.TierCold {
		return o, fmt.Sprintf("demote: %+v, %v", moved, err)
	}
	if _, err := k.Decide(context.Background(), memory.DecideRequest{Action: memory.ActionUndo}); err != nil {
		return o, fmt.Sprintf("undo: %v", err)
	}
	return k.outcome(), ""
}

// someID returns the id of the heron, which is in every outcome.
func (k *killTest) someID() string {
	for _, forgotten := range []bool{false, true} {
		list := must.Get(k.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}}))(k.t)
		for _, m := range list.Memories {
			if m.Text == heron {
				return string(m.ID)
			}
		}
	}
	k.t.Fatal("the heron is gone")
	return ""
}
