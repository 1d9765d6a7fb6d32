package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestUndoKeepsADecisionThatWasEditedIntoTheFile removes the line of a command by hand and
// writes it again: from then on it is a decision of the file.
func TestUndoKeepsADecisionThatWasEditedIntoTheFile(t *testing.T) {
	const text = "The alarm code of the house is 4711"
	for action, word := range map[memory.Action]string{memory.ActionForget: "forgotten: ", memory.ActionPin: "pinned: "} {
		c := newCaptureWorld(t, map[string]string{"MEMORY.md": "# Home\n- " + text + "\n- The dog is called Bello\n"})
		before, id := c.read("MEMORY.md"), string(c.idOf(text))
		if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{id}}); err != nil {
			t.Fatal(err)
		}
		decided := c.read("MEMORY.md")
		for _, src := range []string{before, decided} {
			c.write("MEMORY.md", src)
			c.index()
		}
		for _, preview := range []bool{true, false} {
			a, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo, Preview: preview})
			if err != nil || len(a.Changed)+len(a.Undone) != 0 || len(a.Unchanged) != 1 || a.Unchanged[0].Reason != memory.EditedSince {
				t.Errorf("%s: %+v, %v", action, a, err)
			}
		}
		if m := c.show(memory.ShowRequest{ID: id}); m.Forgotten != (action == memory.ActionForget) || m.Pinned != (action == memory.ActionPin) || !strings.Contains(c.read("MEMORY.md"), word) {
			t.Errorf("%s: forgotten %v, pinned %v:\n%s", action, m.Forgotten, m.Pinned, c.read("MEMORY.md"))
		}
	}
}
