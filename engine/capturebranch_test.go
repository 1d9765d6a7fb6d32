package engine_test

import (
	"os/exec"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestCaptureKeepsWhatIsOnAnotherBranch says a text again on a branch that has no line of
// it. It was skipped as deleted, although nobody deleted it.
func TestCaptureKeepsWhatIsOnAnotherBranch(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const text = "I prefer tabs over spaces in Go code."
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The ferry leaves at nine\n"})
	c.git("init", "-q", "-b", "main")
	c.commitAt("2026-11-20T00:00:00Z")
	c.git("checkout", "-q", "-b", "feature")
	stored := c.tell("s1", "m1", text)
	if len(stored.Stored) != 1 {
		t.Fatalf("%+v", stored)
	}
	id := stored.Stored[0].ID
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(id)}}); err != nil {
		t.Fatal(err)
	}
	c.commitAt("2026-11-21T00:00:00Z")
	c.git("checkout", "-q", "main")
	c.index()
	if m := c.show(memory.ShowRequest{ID: string(id)}).Memory; !m.Missing {
		t.Errorf("on main: %+v", m)
	}
	again := c.tell("s2", "m2", text)
	if len(again.Stored) != 1 {
		t.Fatalf("said again on main: %+v", again)
	}
	c.git("add", "-A")
	c.commitAt("2026-11-21T01:00:00Z")
	c.git("checkout", "-q", "feature")
	c.index()
	if m := c.show(memory.ShowRequest{ID: string(id)}).Memory; m.Missing || !m.Pinned || m.Text != text {
		t.Errorf("back on feature: %+v", m)
	}
	if kept := c.tell("s3", "m3", text); len(kept.Stored) != 0 || kept.Skipped[0].Reason != "duplicate" {
		t.Errorf("said again on feature: %+v", kept)
	}

	// What a person deletes on a branch that had it stays deleted there.
	c.write(capturedFile, "nothing\n")
	c.index()
	if kept := c.tell("s4", "m4", text); len(kept.Stored) != 0 || kept.Skipped[0].Reason != "deleted" {
		t.Errorf("deleted on feature: %+v", kept)
	}
}
