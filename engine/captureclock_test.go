package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// A clock that was years ahead has stopped a session. After it went back, the session is
// captured again.
func TestClockThatWasAheadStopsNoSession(t *testing.T) {
	if testing.Short() {
		t.Skip("captures 25 messages, in one goroutine")
	}
	c := newCaptureWorld(t, nil)
	c.at = now.AddDate(5, 0, 0)
	for i := range 25 {
		c.tell("s", fmt.Sprint(i), fmt.Sprintf("Remember that box %d holds the %s things from shelf %d.", i, strings.Repeat("very ", i%3)+"old", 7*i))
	}
	if a := c.tell("s", "ahead", "I never eat coriander."); !slices.Equal(reasons(a), []string{"burst"}) {
		t.Fatalf("five years ahead: stored %q, %q", storedTexts(a), reasons(a))
	}
	c.at = now
	if a := c.tell("s", "back", "I prefer tea over coffee."); len(a.Stored) != 1 {
		t.Errorf("back at the right time: %q", reasons(a))
	}
	status, err := c.Status(t.Context())
	if err != nil || len(status.Workspaces[0].Notices) != 0 {
		t.Errorf("status has %q, %v", status.Workspaces[0].Notices, err)
	}
	c.at = now.AddDate(-30, 0, 0)
	if a := c.tell("s", "behind", "I love hiking in the Alps."); len(a.Stored) != 1 || !strings.HasPrefix(a.Stored[0].Path, "memory/captured/1996-") {
		t.Errorf("thirty years behind: %+v", a)
	}
}

// A person edits the daily note with an editor and appends to the captured file, while
// capture appends to it. No line of anybody is lost.
func TestCaptureLosesNothingOfFilesThatAreEdited(t *testing.T) {
	rounds := 30
	if testing.Short() { // with the race detector
		rounds = 10
	}
	const note = "memory/2026-11-21.md"
	c := newCaptureWorld(t, map[string]string{note: "- The first line of mine\n"})
	c.tell("first", "0", "Remember that the file exists before anybody edits it.")
	written, appended := "- The first line of mine\n", []string{}
	var person, draining sync.WaitGroup
	done := make(chan struct{})
	person.Go(func() {
		for i := range rounds {
			written += fmt.Sprintf("- Line %d of mine in the note of today\n", i)
			replaceAsAnEditorDoes(t, filepath.Join(c.dir, note), written)
			line := fmt.Sprintf("- Line %d that a shell appends\n", i)
			appendAsAShellDoes(t, filepath.Join(c.dir, capturedFile), line)
			appended = append(appended, line)
			time.Sleep(time.Millisecond)
		}
	})
	draining.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				if err := c.DrainAppends(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	var captured []string
	for i := range rounds {
		a := c.tellUntilDone(fmt.Sprint("session ", i), fmt.Sprintf("Remember that crate %d weighs %d kilos.", i, 3*i+100))
		if len(a.Stored) != 1 {
			t.Errorf("round %d: %q", i, reasons(a))
		}
		captured = append(captured, storedTexts(a)...)
	}
	person.Wait()
	close(done)
	draining.Wait()
	c.restart() // closing carries over what was appended last
	if c.read(note) != written {
		t.Errorf("the note of the person is\n%s", c.read(note))
	}
	file := c.read(capturedFile)
	for _, line := range append(appended, captured...) {
		if strings.Count(file, line) != 1 {
			t.Errorf("%q is in the captured file %d times", line, strings.Count(file, line))
		}
	}
	list, err := c.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Path: capturedFile}})
	if err != nil || list.Total != 2*rounds+1 {
		t.Errorf("%d memories in the captured file, %v", list.Total, err)
	}
}

// tellUntilDone captures one message, as a host does: one that was refused because the
// file changed is sent again.
func (c *captureWorld) tellUntilDone(session, text string) memory.CaptureAnswer {
	c.t.Helper()
	for {
		a, err := c.Capture(c.t.Context(), memory.CaptureRequest{Session: session, Messages: said(text)})
		if err == nil || !errors.Is(err, memory.ErrConflict) {
			if err != nil {
				c.t.Fatal(err)
			}
			return a
		}
	}
}

func replaceAsAnEditorDoes(t *testing.T, file, text string) {
	if err := os.WriteFile(file+"~", []byte(text), 0o644); err != nil {
		t.Error(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		t.Error(err)
	}
}

func appendAsAShellDoes(t *testing.T, file, line string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := f.WriteString(line); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
