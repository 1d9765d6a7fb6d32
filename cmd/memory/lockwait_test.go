package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/service"
)

// commandLine is one run of the program with a state folder of its own.
type commandLine struct {
	stdout, stderr bytes.Buffer
	code           int
}

func runCommand(t *testing.T, state, dir string, args ...string) *commandLine {
	t.Helper()
	c := &commandLine{}
	c.run(t, state, dir, &c.stderr, args...)
	return c
}

func (c *commandLine) run(t *testing.T, state, dir string, stderr io.Writer, args ...string) {
	t.Helper()
	env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": dir, "HOME": state}
	a := &app{in: strings.NewReader(""), out: &c.stdout, err: stderr, env: func(k string) string { return env[k] }, width: defaultWidth}
	c.code = a.run(t.Context(), args)
}

func newStateAndNotes(t *testing.T) (state, dir string) {
	t.Helper()
	state, dir = filepath.Join(t.TempDir(), "state"), t.TempDir()
	must.Do(t, os.Mkdir(state, 0o700))
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- A blue heron lives by the mill pond\n"), 0o644))
	return state, dir
}

// holdLock holds the lock of a state folder until the end of the test.
func holdLock(t *testing.T, state string) *service.Lock {
	t.Helper()
	lock := must.Get(service.Acquire(state))(t)
	t.Cleanup(func() { _ = lock.Release() })
	return lock
}

// writerFunc is a function that gets what is written.
type writerFunc func(text []byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}

// A client sends an MCP server several requests at once. One that takes longer than a command
// waits for the lock of another does not make the next one fail.
func TestRequestsOfOneServerTakeTurns(t *testing.T) {
	state, dir := newStateAndNotes(t)
	runCommand(t, state, dir, "index")
	synctest.Test(t, func(t *testing.T) {
		env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": dir, "HOME": state}
		var notes bytes.Buffer
		a := &app{in: strings.NewReader(""), out: io.Discard, err: &notes, env: func(k string) string { return env[k] }, turns: make(chan struct{}, 1)}
		second := make(chan error, 1)
		err := a.withSession(t.Context(), writesIndex, func(*session) error {
			go func() {
				second <- a.withSession(t.Context(), writesIndex, func(*session) error { return nil })
			}()
			time.Sleep(2 * lockTimeout)
			return nil
		})
		if err := errors.Join(err, <-second); err != nil || notes.Len() > 0 {
			t.Errorf("%v, notes: %s", err, notes.String())
		}
	})
}

func TestCommandThatWritesWaitsForAnotherCommand(t *testing.T) {
	state, dir := newStateAndNotes(t)
	lock, c := holdLock(t, state), &commandLine{}
	note := writerFunc(func(text []byte) { // the other command ends as soon as this one reports that it waits
		c.stderr.Write(text)
		if strings.Contains(string(text), "waiting") {
			_ = lock.Release()
		}
	})
	c.run(t, state, dir, note, "store", "The owl in the barn hunts at dusk")
	if c.code != exitOK || !strings.Contains(c.stderr.String(), "note: waiting for another memory process") {
		t.Errorf("exit %d, %s", c.code, c.stderr.String())
	}
	if c := runCommand(t, state, dir, "search", "owl"); !strings.Contains(c.stdout.String(), "barn") || strings.Contains(c.stderr.String(), "waiting") {
		t.Errorf("%s %s", c.stdout.String(), c.stderr.String())
	}
}

// Right after the start of a service, its socket and its index do not exist yet. A
// command that reads waits for them.
func TestCommandThatReadsWaitsForAnIndexThatIsBeingMade(t *testing.T) {
	for _, command := range [][]string{{"list", "--tier", "warm"}, {"workspace", "add", "."}} {
		state, dir := newStateAndNotes(t)
		t.Chdir(dir)
		lock := holdLock(t, state)
		timer := time.AfterFunc(300*time.Millisecond, func() { _ = lock.Release() })
		t.Cleanup(func() { timer.Stop() })
		c := runCommand(t, state, dir, command...)
		if c.code != exitOK || strings.Contains(c.stderr.String(), "older version") {
			t.Errorf("%v: exit %d, %s%s", command, c.code, c.stdout.String(), c.stderr.String())
		}
	}
}

// A command that reads does not wait for a command that writes: it answers from the
// index as it is.
func TestCommandThatReadsDoesNotWaitForACommandThatWrites(t *testing.T) {
	state, dir := newStateAndNotes(t)
	if c := runCommand(t, state, dir, "index"); c.code != exitOK {
		t.Fatal(c.stderr.String())
	}
	holdLock(t, state)
	c := runCommand(t, state, dir, "list", "--json")
	if c.code != exitOK || !strings.Contains(c.stdout.String(), `"stale": true`) {
		t.Errorf("exit %d, %s%s", c.code, c.stdout.String(), c.stderr.String())
	}
}

func TestUnknownHelpIsAnError(t *testing.T) {
	state, dir := newStateAndNotes(t)
	if c := runCommand(t, state, dir, "help", "nope"); c.code != 2 || !strings.Contains(c.stderr.String(), `unknown command "nope"`) {
		t.Errorf("exit %d, %s", c.code, c.stderr.String())
	}
	for _, args := range [][]string{{"help"}, {"help", "search"}, {"help", "config", "set"}} {
		if c := runCommand(t, state, dir, args...); c.code != exitOK || !strings.Contains(c.stdout.String(), "Usage:") {
			t.Errorf("%v: exit %d, %s", args, c.code, c.stderr.String())
		}
	}
}

func TestIndexReportsAPathThatIsNotThere(t *testing.T) {
	state, dir := newStateAndNotes(t)
	c := runCommand(t, state, dir, "index", "memory/none.md", "MEMORY.md")
	if c.code != exitOK || !strings.Contains(c.stderr.String(), "there is no file or folder memory/none.md") || strings.Contains(c.stderr.String(), "no file or folder MEMORY.md") {
		t.Errorf("exit %d, %s", c.code, c.stderr.String())
	}
}

// The name of a daily note has no time of day, and an importance without a label has
// no word for it.
func TestShowClaimsNoTimeOrLabelThatNobodyGave(t *testing.T) {
	state, dir := newStateAndNotes(t)
	if c := runCommand(t, state, dir, "store", "The owl in the barn hunts at dusk"); c.code != exitOK {
		t.Fatal(c.stderr.String())
	}
	ids, err := os.ReadDir(filepath.Join(dir, "memory"))
	if err != nil || len(ids) != 1 {
		t.Fatal(err)
	}
	day := strings.TrimSuffix(ids[0].Name(), ".md")
	list := runCommand(t, state, dir, "search", "owl", "--json")
	_, rest, _ := strings.Cut(list.stdout.String(), `"id": "`)
	c := runCommand(t, state, dir, "show", rest[:8])
	if out := c.stdout.String(); !strings.Contains(out, "created     "+day+": the name of the daily note") || strings.Contains(out, "unknown") {
		t.Errorf("%s%s", out, c.stderr.String())
	}
}
