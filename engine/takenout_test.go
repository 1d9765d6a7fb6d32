package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// client is the memory of a client, as it stands in its file.
type client struct {
	*testing.T
	*engine.Engine
	file string
}

func newClient(t *testing.T) client {
	e := newClients(t, linesOf(func(i int) bool { return i == 1 }), linesOf(func(i int) bool { return i != 1 }))
	return client{t, e, filepath.Join(workspaceDir(t, e, "codex"), "MEMORY.md")}
}

func workspaceDir(t *testing.T, e *engine.Engine, name string) string {
	t.Helper()
	a := must.Get(e.Workspaces(t.Context()))(t)
	for _, w := range a.Workspaces {
		if w.Name == name {
			return w.Path
		}
	}
	t.Fatalf("no workspace %s", name)
	return ""
}

func (c client) read() string {
	c.Helper()
	text := must.Get(os.ReadFile(c.file))(c)
	return string(text)
}

func (c client) write(text string) {
	c.Helper()
	must.Do(c, os.WriteFile(c.file, []byte(text), 0o600))
}

// id returns the memory that contains words.
func (c client) id(words string) string {
	c.Helper()
	a := must.Get(c.List(c.T.Context(), memory.ListRequest{Workspace: "codex"}))(c)
	for _, m := range a.Memories {
		if strings.Contains(m.Text, words) {
			return string(m.ID)
		}
	}
	c.Fatalf("no memory contains %q", words)
	return ""
}

func (c client) decide(r memory.DecideRequest) memory.DecideAnswer {
	c.Helper()
	r.Workspace, r.InPlace, r.Confirm = "codex", r.Action == memory.ActionForget, r.Action == memory.ActionDestroy
	a := must.Get(c.Decide(c.T.Context(), r))(c)
	return a
}

const (
	certificate = "- The staging certificate expires in March\n"
	backups     = "- Backups of the collector run at 03:30\n"
)

// checkBack checks that lines are in the file once, and that all else is as the client wrote it.
func (c client) checkBack(now string, lines ...string) {
	c.Helper()
	next := c.read()
	left := next
	for _, line := range lines {
		if strings.Count(next, line) != 1 {
			c.Errorf("%q is not back: %q", line, next)
		}
		left = strings.Replace(left, line, "", 1)
	}
	if left != now {
		c.Errorf("what the client wrote is not as it was: %q, want %q", left, now)
	}
}

// The client goes on writing into its file. What was taken out comes back nevertheless.
func TestTakenOutComesBack(t *testing.T) {
	edits := map[string]func(string) string{
		"the line below":     func(s string) string { return strings.Replace(s, "- The wifi", "- The wlan", 1) },
		"the line above":     func(s string) string { return strings.Replace(s, "Hyde theme", "Jekyll theme", 1) },
		"the first and last": func(s string) string { return "# Notes\n\n" + s + "- One more line\n" },
		"all lines":          func(s string) string { return strings.ReplaceAll(s, "e", "E") },
		"another order": func(s string) string {
			at := len(s)/2 + strings.Index(s[len(s)/2:], "\n") + 1
			return s[at:] + s[:at]
		},
		"an empty file": func(string) string { return "" },
	}
	for name, edit := range edits {
		for _, action := range []memory.Action{memory.ActionUndo, memory.ActionRestore} {
			t.Run(name+" "+string(action), func(t *testing.T) {
				c := newClient(t)
				ids := []string{c.id("staging certificate"), c.id("Backups of the collector")}
				c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
				now := edit(c.read())
				c.write(now)
				r := memory.DecideRequest{Action: action}
				if action == memory.ActionRestore {
					r.IDs = ids
				}
				if a := c.decide(r); len(a.Notices) > 0 {
					t.Error(a.Notices)
				}
				c.checkBack(now, certificate, backups)
			})
		}
	}
}

// A file that the client removed is made again, with what was taken out of it.
func TestTakenOutOfARemovedFile(t *testing.T) {
	c := newClient(t)
	c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{c.id("Backups of the collector")}})
	must.Do(t, os.Remove(c.file))
	c.decide(memory.DecideRequest{Action: memory.ActionUndo})
	c.checkBack("", backups)
}

// A file that could not be written when its text was to come back gets it with the next decision.
func TestTakenOutComesBackLater(t *testing.T) {
	c := newClient(t)
	id := c.id("Backups of the collector")
	c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{id}})
	now, link := c.read(), filepath.Join(t.TempDir(), "link")
	if err := os.Link(c.file, link); err != nil { // a file with two names is never written
		t.Skip(err)
	}
	if a := c.decide(memory.DecideRequest{Action: memory.ActionUndo}); len(a.Notices) == 0 || c.read() != now {
		t.Fatalf("%v, %q", a.Notices, c.read())
	}
	must.Do(t, os.Remove(link))
	c.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{id}})
	c.checkBack(now, backups)
}

// What stays forgotten stays out of the file.
func TestOneOfSeveralComesBack(t *testing.T) {
	c := newClient(t)
	before := c.read()
	ids := []string{c.id("staging certificate"), c.id("Backups of the collector")}
	c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
	now := c.read()
	c.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: ids[1:]})
	c.checkBack(now, backups)
	c.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: ids[:1]})
	if c.read() != before {
		t.Errorf("not byte for byte: %q", c.read())
	}
}

// A destroyed text leaves what was taken out. The others can still come back.
func TestDestroyKeepsWhatElseWasTakenOut(t *testing.T) {
	for _, together := range []bool{true, false} {
		c := newClient(t)
		ids := []string{c.id("staging certificate"), c.id("Backups of the collector")}
		if together {
			c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
		} else {
			c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids[1:]})
			c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids[:1]})
		}
		now := c.read()
		c.decide(memory.DecideRequest{Action: memory.ActionDestroy, IDs: ids[:1]})
		c.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: ids[1:]})
		c.checkBack(now, backups)
	}
}

// A snapshot and a step of a review bring texts back too.
func TestEveryWayBackPutsBack(t *testing.T) {
	c := newClient(t)
	before := c.read()
	saved := must.Get(c.Snapshots(t.Context(), memory.SnapshotRequest{Workspace: "codex", Action: "create"}))(t)
	ids := []string{c.id("Backups of the collector")}
	c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
	must.Get(c.Snapshots(t.Context(), memory.SnapshotRequest{Workspace: "codex", Action: "restore", ID: saved.Snapshots[0].ID}))(t)
	if c.read() != before {
		t.Errorf("after the snapshot: %q", c.read())
	}
	forgotten := c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: ids})
	must.Get(c.ReviewStep(t.Context(), memory.ReviewStepRequest{Workspace: "codex", Action: memory.ReviewUndo, Batch: forgotten.Batch}))(t)
	if c.read() != before {
		t.Errorf("after the step of a review: %q", c.read())
	}
}
