package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func (c *captureWorld) undo(count int) memory.DecideAnswer {
	c.t.Helper()
	a, err := c.Decide(c.t.Context(), memory.DecideRequest{Action: memory.ActionUndo, Count: count})
	if err != nil {
		c.t.Fatal("undo:", err)
	}
	return a
}

// TestUndoOfAStoreReversesTheStore forgets a memory, then stores another one. Undo once
// reversed the forgetting.
func TestUndoOfAStoreReversesTheStore(t *testing.T) {
	const stored = "Lena prefers meetings in the morning"
	yes := 0.9
	for name, r := range map[string]memory.StoreRequest{
		"plain":           {Text: stored},
		"with an entry":   {Text: stored, Pinned: true, Tier: memory.TierWarm, Importance: &yes},
		"by a tool":       {Text: stored, Source: memory.SourceTool},
		"with a list":     {Text: stored + ":\n- at nine\n- at ten"},
		"with code":       {Text: stored + ":\n```\ncal 9\n```"},
		"with an ordered": {Text: "1. wake Lena\n2. meet her in the morning"},
	} {
		t.Run(name, func(t *testing.T) {
			const day = "# Today\n\n- The heron nests behind the mill\n- Otto keeps bees"
			c := newCaptureWorld(t, map[string]string{"memory/2026-11-21.md": day, capturedFile: day, "MEMORY.md": "- Nobody deploys on Friday afternoons\n"})
			forgotten := c.idOf("Nobody deploys on Friday afternoons")
			must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(forgotten)}}))(t)
			m := c.storeAs(r).Memory
			preview, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo, Preview: true})
			if err != nil || len(preview.Undone) != 1 || preview.Undone[0].Action != memory.AuditStore || !preview.Changed[0].Missing || !strings.Contains(c.read(m.Path), "Lena") {
				t.Errorf("the preview: %+v, %v", preview, err)
			}
			a := c.undo(1)
			if len(a.Undone) != 1 || a.Undone[0].Action != memory.AuditStore || a.Undone[0].Memories != 1 || len(a.Changed) != 1 || a.Changed[0].ID != m.ID || !a.Changed[0].Missing {
				t.Errorf("%+v", a)
			}
			if got := c.read(m.Path); strings.TrimRight(got, "\n") != day {
				t.Errorf("the file is\n%s", got)
			}
			if got := c.show(memory.ShowRequest{ID: string(forgotten)}); !got.Forgotten {
				t.Error("the older decision was reversed")
			}
			if again := c.storeAs(r); again.Duplicate || again.Memory.Text != r.Text {
				t.Errorf("stored again: %+v", again)
			}
			c.undo(2)
			if got := c.show(memory.ShowRequest{ID: string(forgotten)}); got.Forgotten {
				t.Error("the second undo of the store and of the forgetting left the memory forgotten")
			}
		})
	}
}

// TestUndoLeavesAStoredTextThatWasEdited removes no words of a person.
func TestUndoLeavesAStoredTextThatWasEdited(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Nobody deploys on Friday afternoons\n"})
	pinned := string(c.idOf("Nobody deploys on Friday afternoons"))
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{pinned}}))(t)
	path := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning"}).Memory.Path
	c.at = c.at.Add(time.Minute)
	c.write(path, strings.Replace(c.read(path), "in the morning", "late in the morning", 1))
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "was edited") {
		t.Errorf("undo: %v", err)
	}
	if !strings.Contains(c.read(path), "late in the morning") || !c.show(memory.ShowRequest{ID: pinned}).Pinned {
		t.Errorf("a refused undo changed\n%s", c.read(path))
	}
	if a := c.undo(2); len(a.Undone) != 1 || a.Undone[0].Action != string(memory.ActionPin) || len(a.Unchanged) != 1 {
		t.Errorf("undo of two commands: %+v", a)
	}
}

// TestUndoOfACapture reverses what a person captured, and leaves what a host captured.
func TestUndoOfACapture(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Nobody deploys on Friday afternoons\n"})
	pinned := string(c.idOf("Nobody deploys on Friday afternoons"))
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{pinned}}))(t)
	old := c.tell("s", "1", "Remember that the staging port is 8080.").Stored[0]
	command := uuid.NewString()
	for _, text := range []string{"Remember that the staging port is 8081.", "Remember that Lena chairs the meetings."} {
		must.Get(c.Capture(t.Context(), memory.CaptureRequest{Messages: said(text), Sender: memory.Sender{User: "owner"}, Command: command}))(t)
	}
	if c.show(memory.ShowRequest{ID: string(old.ID)}).SupersededBy == nil {
		t.Fatal("the old port is not superseded")
	}
	a := c.undo(1)
	if len(a.Undone) != 1 || a.Undone[0].Action != memory.AuditCapture || len(a.Notices) != 0 {
		t.Errorf("%+v", a)
	}
	if text := c.read(capturedFile); strings.Contains(text, "8081") || strings.Contains(text, "chairs") || !strings.Contains(text, "8080") || strings.Contains(text, "superseded") {
		t.Errorf("the captured file is\n%s", text)
	}
	if c.show(memory.ShowRequest{ID: string(old.ID)}).SupersededBy != nil {
		t.Error("the old port is still superseded")
	}
	a = c.undo(1)
	if c.show(memory.ShowRequest{ID: pinned}).Pinned || !strings.Contains(c.read(capturedFile), "8080") {
		t.Errorf("%+v\n%s", a, c.read(capturedFile))
	}
	if _, err := c.Capture(t.Context(), memory.CaptureRequest{Messages: said("x"), Command: "mine"}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a command that is not a UUID: %v", err)
	}
}

// TestUndoOfTheCurrentContext restores the former context as long as it holds.
func TestUndoOfTheCurrentContext(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Nobody deploys on Friday afternoons\n"})
	pinned := string(c.idOf("Nobody deploys on Friday afternoons"))
	set := func(text string, hours float64) {
		t.Helper()
		must.Get(c.SetContext(t.Context(), memory.ContextRequest{Text: text, TTLHours: &hours}))(t)
		c.at = c.at.Add(time.Minute)
	}
	current := func() string {
		t.Helper()
		a := must.Get(c.Context(t.Context(), memory.ContextOf{}))(t)
		if a.Context == nil {
			return ""
		}
		return a.Context.Text
	}
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{pinned}}))(t)
	set("On a call", 4)
	set("Back at the desk", 1)
	if a := c.undo(1); current() != "On a call" || len(a.Undone) != 1 || a.Undone[0].Action != memory.AuditSetContext || a.Undone[0].Memories != 0 {
		t.Errorf("the context is %q, %+v", current(), a)
	}
	must.Get(c.ClearContext(t.Context(), memory.ContextOf{}))(t)
	if _, err := c.ClearContext(t.Context(), memory.ContextOf{}); err != nil { // changes nothing, so undo does not count it
		t.Fatal(err)
	}
	if c.undo(1); current() != "On a call" {
		t.Errorf("clear-context undone: %q", current())
	}
	set("Short", 4)
	c.at = c.at.Add(4*time.Hour - time.Minute)
	if a := c.undo(1); current() != "" || !slices.Equal(a.Notices, []string{"no current context is set any more; the one before has expired, or there was none"}) {
		t.Errorf("the former context has expired: %q, %+v", current(), a)
	}
	if c.undo(1); current() != "" || !c.show(memory.ShowRequest{ID: pinned}).Pinned {
		t.Error("the first set-context was not the command before")
	}
	if c.undo(1); c.show(memory.ShowRequest{ID: pinned}).Pinned {
		t.Error("the pin is not reversed in the end")
	}
}

// TestUndoOfADestroyStillRefuses destroys a newer version, by which the older one holds
// again. Undo must not see that as a command of its own.
func TestUndoOfADestroyStillRefuses(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	old := c.idOf("Lena prefers meetings in the morning")
	a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(a.Memory.ID)}, Confirm: true}))(t)
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "destroyed memories (1)") {
		t.Errorf("undo: %v", err)
	}
}
