package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/must"
)

// serveFor starts a service for a workspace, and returns its process.
func serveFor(t *testing.T, dir, state string) *os.Process {
	t.Helper()
	program := must.Get(os.Executable())(t)
	c := exec.Command(program, "serve")
	c.Args[0], c.Dir, c.Env = "memory", dir, terminalEnvironment(dir, state)
	must.Do(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	for end := time.Now().Add(time.Minute); !daemonAnswers(t.Context(), state); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the service does not answer")
		}
	}
	index := exec.Command(program, "index")
	index.Args[0], index.Dir, index.Env = "memory", dir, c.Env
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return c.Process
}

// sendSignal sends a signal to the service.
func sendSignal(t *testing.T, p *os.Process, s os.Signal) {
	t.Helper()
	must.Do(t, p.Signal(s))
}

// A service that hangs or dies does not end the screen, and Ctrl-C ends it at any time.
func TestBrowseOutlivesTheService(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	var notes strings.Builder
	for i := range 300 {
		fmt.Fprintf(&notes, "- The crate %d is in the hall %d\n", i, i%7)
	}
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "# Store\n\n"+notes.String())
	service := serveFor(t, dir, state)
	e := startInTerminal(t, dir, state, 80, 24, nil, "browse")
	e.awaits("-- 1 of 50")
	e.press("crate 17")
	e.awaits("The crate 17 is", "-- 1 of 50", "score")
	e.press("\x1b[F") // End
	e.awaits("-- 50 of 50")
	e.press("\x1b[H\x1b[B") // Home, down
	e.awaits("-- 2 of 50")

	sendSignal(t, service, syscall.SIGSTOP)
	e.press("0")
	e.awaits("search: crate 170", "-- waiting for the answer")
	e.press("\r")
	e.press("f") // the hits of this query are not there
	e.awaits("press the key again")
	sendSignal(t, service, syscall.SIGCONT)
	e.awaits(">", "The crate 170 is", "-- 1 of 50")

	sendSignal(t, service, syscall.SIGKILL)
	_, _ = service.Wait()
	e.press("p")
	e.awaits("pin: The crate 170 is", "[PINNED]")
	e.press("/\x15hall 3")
	e.awaits("hall 3", "!crate 170")
	if src, _ := os.ReadFile(filepath.Join(dir, "MEMORY.md")); strings.Contains(string(src), "forgotten") || !strings.Contains(string(src), "pinned") {
		t.Errorf("the decisions in the file are wrong:\n%s", src[:400])
	}

	service = serveFor(t, dir, state)
	sendSignal(t, service, syscall.SIGSTOP)
	e.press("2")
	e.awaits("-- waiting for the answer")
	e.press("\x03")
	if code := e.ends(); code != exitOK {
		t.Errorf("it ends with %d", code)
	}
}
