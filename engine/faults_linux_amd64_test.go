package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// faultyRoot makes the test binary the child whose system calls fail.
const faultyRoot = "ENGINE_TEST_FAULTY_ROOT"

// faultyHealthy lets the child give further commands when no call fails any more.
const faultyHealthy = "ENGINE_TEST_FAULTY_HEALTHY"

// faultReport is what the child reports after a decision during which a call failed.
type faultReport struct {
	Err       string // of the decision; empty: none
	Kind      string // of the error: unavailable, conflict or bug
	Forgotten map[string][]string
	Faults    []memory.Fault
	Visible   []string          // texts that a search can return
	Notes     map[string]string // the files
	Outcome   outcome
	Healthy   outcome // after further commands
	Problem   string  // why these failed
}

// TestFaultyChild is the child process: it decides while a system call fails, and
// reports what it sees then.
func TestFaultyChild(t *testing.T) {
	root := os.Getenv(faultyRoot)
	if root == "" {
		t.Skip("runs as a child of the tests below")
	}
	stopAtWriteCalls(t)
	r, e := requestOfChild(t), openAt(t, root)
	touchFile(t, root, "begin")
	err := r.run(e)
	touchFile(t, root, "end")
	report := faultReport{Forgotten: map[string][]string{}}
	if err != nil {
		report.Err, report.Kind = err.Error(), "bug"
		for kind, name := range map[error]string{memory.ErrUnavailable: "unavailable", memory.ErrConflict: "conflict"} {
			if errors.Is(err, kind) {
				report.Kind = name
			}
		}
	}
	for _, forgotten := range []bool{false, true} {
		list := must.Get(e.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}, Sort: "path"}))(t)
		for _, m := range list.Memories {
			if forgotten {
				report.Forgotten[m.Text] = append(report.Forgotten[m.Text], m.Path)
			} else {
				report.Visible = append(report.Visible, m.Text)
			}
		}
	}
	status := must.Get(e.Status(context.Background()))(t)
	report.Faults = status.Workspaces[0].Faults
	seen := killTest{world: world{t: t, dir: filepath.Join(root, "notes"), Engine: e}}
	report.Notes = filesBelow(t, seen.dir)
	if report.Outcome = seen.outcome(); os.Getenv(faultyHealthy) != "" {
		report.Healthy, report.Problem = seen.tryHealthy()
	}
	text, err := json.Marshal(report)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "report.json"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	os.Exit(0) // without closing anything
}

func faultyCommand(root string, r childRequest, env ...string) *exec.Cmd {
	request, _ := json.Marshal(r)
	c := exec.Command(os.Args[0], "-test.run=^TestFaultyChild$")
	c.Env = append(os.Environ(), faultyRoot+"="+root, killedRequest+"="+string(request), "GODEBUG=asyncpreemptoff=1")
	c.Env = append(c.Env, env...)
	return c
}

// runWithFault runs the decision in a copy of the folder, while one call fails.
// The child's environment gets the given variables too.
func (k *killTest) runWithFault(f fault, env ...string) (root string, report faultReport, failed call) {
	k.t.Helper()
	root = k.copy(k.template)
	report, failed = k.runIn(root, f, env...)
	return root, report, failed
}

func (k *killTest) runIn(root string, f fault, env ...string) (report faultReport, failed call) {
	k.t.Helper()
	calls := traceCalls(k.t, faultyCommand(root, k.request, env...), root, f)
	text, err := os.ReadFile(filepath.Join(root, "report.json"))
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err == nil {
		err = os.Remove(filepath.Join(root, "report.json"))
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return report, calls[f.at-1]
}

// The file has its line after the rename, although the folder cannot be synced. The
// command reports that, every copy stays hidden, and the next start completes it.
func TestForgetWhoseFolderCannotBeSyncedHidesEveryCopy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + owl + "\n"})
	k.recordDecision(decideRequest(memory.ActionForget, k.idOf(owl)))
	tried := 0
	for i, c := range k.calls {
		if c.name != "sync" || filepath.Ext(c.path) != "" || !strings.HasPrefix(c.path, "/notes") {
			continue
		}
		for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC} {
			tried++
			root, report, failed := k.runWithFault(fault{at: i + 1, errno: errno})
			what := fmt.Sprintf("call %d, %s, %v: %+v", i+1, failed, errno, report)
			if report.Kind != "unavailable" || !strings.Contains(report.Err, "MEMORY.md was written") || strings.Contains(report.Err, "unchanged") {
				t.Errorf("%s: the error", what)
			}
			if len(report.Forgotten[owl]) != 2 || len(report.Visible) != 1 {
				t.Errorf("%s: a copy is visible", what)
			}
			if got := k.reopenAt(root); got != k.after {
				t.Errorf("%s: the next start gives\n%+v\nwant\n%+v", what, got, k.after)
			}
		}
	}
	if tried == 0 {
		t.Errorf("no call syncs a folder: %v", k.calls)
	}
}

// One of the files that hold a text's lines cannot be written. Its copies are then all
// restored, or all forgotten still, and the error names the file.
func TestUndoOfForgetThatCannotWriteAFileRestoresAllCopiesOrNone(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	files := map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + owl + "\n", "memory/b.md": "- " + owl + "\n"}
	for _, tt := range []struct {
		name   string
		lines  int // copies that get a line of their own
		undoes memory.DecideRequest
	}{
		{"undo, one line", 1, memory.DecideRequest{Action: memory.ActionUndo}},
		{"undo, two lines", 2, memory.DecideRequest{Action: memory.ActionUndo}},
		{"restore, two lines", 2, memory.DecideRequest{Action: memory.ActionRestore}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newKillTest(t, files)
			var ids []string
			for _, id := range k.idsOf(owl)[:tt.lines] {
				ids = append(ids, string(id))
			}
			k.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
			if tt.undoes.Action == memory.ActionRestore {
				tt.undoes.IDs = ids[:1]
			}
			k.recordDecision(tt.undoes)
			failures := 0
			for _, name := range []string{"open", "write", "sync", "rename"} {
				for _, at := range k.callsOn(name, "/notes/") {
					root, report, failed := k.runWithFault(fault{at: at, errno: syscall.ENOSPC})
					what := fmt.Sprintf("call %d, %s: %+v", at, failed, report)
					if report.Err == "" {
						t.Errorf("%s: no error", what)
						continue
					}
					failures++
					if report.Kind != "unavailable" || !strings.Contains(report.Err, ".md") {
						t.Errorf("%s: the error", what)
					}
					want, begun := k.before, strings.Contains(report.Err, "has begun")
					if begun {
						want = k.after
					}
					if n := len(report.Forgotten[owl]); n != 3 && (n != 0 || !begun) {
						t.Errorf("%s: %d of 3 copies are forgotten", what, n)
					}
					if got := k.reopenAt(root); got != want {
						t.Errorf("%s: the next start gives\n%+v\nwant\n%+v", what, got, want)
					}
				}
			}
			if failures < 4*tt.lines {
				t.Errorf("only %d runs failed", failures)
			}
		})
	}
}

// The file of the marks of forgotten texts cannot be written. The command reports that
// the disk is to blame, and the decision holds wholly or not at all.
func TestDecisionWithoutItsMarksFileIsUnavailable(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	files := map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + owl + "\n"}
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionRestore} {
		t.Run(string(action), func(t *testing.T) {
			k := newKillTest(t, files)
			id := k.idsOf(owl)[0]
			if action == memory.ActionRestore {
				k.decide(decideRequest(memory.ActionForget, id))
			}
			k.recordDecision(decideRequest(action, id))
			tried := 0
			for i, c := range k.calls {
				if !strings.Contains(c.path, ".forgotten") {
					continue
				}
				for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC} {
					tried++
					root, report, failed := k.runWithFault(fault{at: i + 1, errno: errno})
					what := fmt.Sprintf("call %d, %s, %v: %+v", i+1, failed, errno, report)
					if report.Kind != "unavailable" {
						t.Errorf("%s: the error", what)
					}
					if n := len(report.Forgotten[owl]); n != 0 && n != 2 || n == 0 && action == memory.ActionRestore {
						t.Errorf("%s: %d of 2 copies are forgotten", what, n)
					}
					want := k.before
					if strings.Contains(report.Err, "has begun") {
						want = k.after
					}
					if got := k.reopenAt(root); got != want {
						t.Errorf("%s: the next start gives\n%+v\nwant\n%+v", what, got, want)
					}
				}
			}
			if tried < 6 {
				t.Errorf("%d calls write the file of the marks", tried/2)
			}
		})
	}
}

// The file vanishes before the program opens it for the first, second … time.
func TestFileThatVanishesDuringADecisionIsAConflict(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/a.md": "- " + owl + "\n"})
	k.recordDecision(decideRequest(memory.ActionForget, k.idOf(owl)))
	root := k.copy(k.template)
	opens := len(traceCalls(t, faultyCommand(root, k.request), root, fault{open: "a.md"}))
	conflicts := 0
	for at := 1; at <= opens; at++ {
		root := k.copy(k.template)
		report, _ := k.runIn(root, fault{at: at, open: "a.md", do: func() { _ = os.Remove(filepath.Join(root, "notes/memory/a.md")) }})
		if report.Kind != "conflict" && report.Err != "" {
			t.Errorf("the file vanishes before it is opened for the %d. time: %+v", at, report)
		}
		if report.Kind == "conflict" {
			conflicts++
		}
	}
	if conflicts == 0 {
		t.Errorf("%d of %d runs are conflicts", conflicts, opens)
	}
}

// idsOf returns the ids of all copies of a text that are not forgotten, by path.
func (k *killTest) idsOf(text string) (ids []memory.ID) {
	k.t.Helper()
	list := must.Get(k.List(context.Background(), memory.ListRequest{Sort: "path"}))(k.t)
	for _, m := range list.Memories {
		if m.Text == text {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// callsOn returns the numbers of the calls with this name on files below the notes,
// temporary ones of the program included.
func (k *killTest) callsOn(name, folder string) (numbers []int) {
	for i, c := range k.calls {
		if c.name == name && (strings.HasPrefix(c.path, folder) || strings.Contains(c.path, ".memory-tiered-") && !strings.HasPrefix(c.path, "/")) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// One copy cannot be removed, because the disk is full or fails. The copies that
// stay are listed, are faults, and are named by the error. The next start removes
// them.
func TestDestroyThatFailsPartlyKeepsTheCopiesThatStay(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	k := newKillTest(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n", "memory/a.md": "- " + vault + "\n- " + owl + "\n"})
	k.recordDecision(destroyRequest(k.idOf(vault)))
	partly := 0
	for _, name := range []string{"open", "write", "sync", "rename"} {
		for _, at := range k.callsOn(name, "/notes/") {
			root, report, failed := k.runWithFault(fault{at: at, errno: syscall.EIO})
			notes := filesBelow(t, filepath.Join(root, "notes"))
			var left []string
			for path, text := range notes {
				if strings.Contains(text, vault) && !strings.Contains(path, ".memory-tiered-") {
					left = append(left, strings.TrimPrefix(path, "/"))
				}
			}
			what := fmt.Sprintf("call %d, %s: %+v; left in %q", at, failed, report, left)
			switch {
			case report.Err == "":
				t.Errorf("%s: no error", what)
			case report.Kind != "unavailable":
				t.Errorf("%s: the error is %s", what, report.Kind)
			}
			if len(left) != 1 {
				if len(left) == 2 && len(report.Forgotten[vault]) > 0 {
					t.Errorf("%s: nothing was removed, and the text is forgotten", what)
				}
				continue
			}
			partly++
			if fmt.Sprint(report.Forgotten[vault]) != fmt.Sprint(left) {
				t.Errorf("%s: the copy that stays is not listed", what)
			}
			if len(report.Faults) != 1 || report.Faults[0].Path != left[0] || report.Faults[0].Line == 0 {
				t.Errorf("%s: the copy that stays is no fault", what)
			}
			if !strings.Contains(report.Err, left[0]) || !strings.Contains(report.Err, "1 of 2 memories") {
				t.Errorf("%s: the error does not name the copy", what)
			}
			if got := k.reopenAt(root); got != k.after {
				t.Errorf("%s: the next start gives\n%+v\nwant\n%+v", what, got, k.after)
			}
		}
	}
	if partly < 3 {
		t.Errorf("%d runs failed partly", partly)
	}
}
