package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": dir, "HOME": state}
	a := &app{in: strings.NewReader(""), out: &c.stdout, err: &c.stderr, env: func(k string) string { return env[k] }, width: defaultWidth}
	c.code = a.run(t.Context(), args)
	return c
}

func newStateAndNotes(t *testing.T) (state, dir string) {
	t.Helper()
	state, dir = filepath.Join(t.TempDir(), "state"), t.TempDir()
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- A blue heron lives by the mill pond\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return state, dir
}

// holdLock holds the lock of a state folder for a time.
func holdLock(t *testing.T, state string, d time.Duration) {
	t.Helper()
	lock, err := service.Acquire(state)
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { _ = lock.Release() })
	t.Cleanup(func() { timer.Stop(); _ = lock.Release() })
}

func TestCommandThatWritesWaitsForAnotherCommand(t *testing.T) {
	state, dir := newStateAndNotes(t)
	holdLock(t, state, lockNoteAfter+500*time.Millisecond)
	c := runCommand(t, state, dir, "store", "The owl in the barn hunts at dusk")
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
		holdLock(t, state, 300*time.Millisecond)
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
	holdLock(t, state, time.Minute)
	c := runCommand(t, state, dir, "list", "--json")
	if c.code != exitOK || !strings.Contains(c.stdout.String(), `"stale": true`) {
		t.Errorf("exit %d, %s%s", c.code, c.stdout.String(), c.stderr.String())
	}
}
