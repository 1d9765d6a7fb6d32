package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// Undo prints no forgotten text: nobody named its memory.
func TestUndoRepeatsNoForgottenText(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- " + forgottenVault + "\n"})
	decide := func(r memory.DecideRequest) memory.Memory {
		t.Helper()
		a, err := c.Decide(t.Context(), r)
		if err != nil || len(a.Changed) != 1 {
			t.Fatalf("%+v %v", a, err)
		}
		return a.Changed[0]
	}
	id := []string{string(c.idOf(forgottenVault))}
	decide(memory.DecideRequest{Action: memory.ActionForget, IDs: id})
	if m := decide(memory.DecideRequest{Action: memory.ActionUndo, Preview: true}); m.Text != "" || string(m.ID) != id[0] {
		t.Errorf("a preview prints %q", m.Text)
	}
	if m := decide(memory.DecideRequest{Action: memory.ActionUndo}); m.Text != forgottenVault {
		t.Errorf("the text is visible again, and undo prints %q", m.Text)
	}
	decide(memory.DecideRequest{Action: memory.ActionForget, IDs: id})
	decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: id})
	if m := decide(memory.DecideRequest{Action: memory.ActionUndo}); m.Text != "" || !m.Forgotten {
		t.Errorf("undo of a restore prints %+v", m)
	}
}

// A store keeps the line ends of the file.
func TestStoreKeepsTheLineEndsOfTheFile(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- a heron\n"})
	path := c.storeAs(memory.StoreRequest{Text: "Peter plays chess on Thursdays"}).Memory.Path
	c.write(path, strings.ReplaceAll(c.read(path), "\n", "\r\n"))
	c.index()
	c.storeAs(memory.StoreRequest{Text: "Lena plays the cello in the evening"})
	if src := c.read(path); strings.Count(src, "\n") != strings.Count(src, "\r\n") || !strings.Contains(src, "cello") {
		t.Errorf("%q", src)
	}
}
