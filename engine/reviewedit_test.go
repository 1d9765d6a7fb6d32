package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestReviewEditKeepsDecisions edits memories until no word is left. They got another id
// then, and lost what the line in front matter declares about them.
func TestReviewEditKeepsDecisions(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The Zebrafish report is kept in the old red barn <!-- trust: untrusted -->\n- Gardens need water\n"})
	id := c.idOf("The Zebrafish report is kept in the old red barn")
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(id)}}); err != nil {
		t.Fatal(err)
	}
	before := strings.Replace(c.read("MEMORY.md"), "pinned: true", "pinned: true, private: true", 1)
	c.write("MEMORY.md", before)
	c.index()
	edit := stepOn(c.review(memory.ReviewRequest{Kind: memory.ReviewUntrusted}).Items[0], memory.ReviewEdit)
	edit.NewLines = "- My diagnosis lies with Doctor Meyer"
	a := c.step(edit)
	check := func(when, id string) {
		t.Helper()
		if m := c.show(memory.ShowRequest{ID: id}).Memory; !m.Private || !m.Pinned || m.Missing {
			t.Errorf("%s: %+v\n%s", when, m, c.read("MEMORY.md"))
		}
	}
	if len(a.Changed) != 1 || a.Changed[0].ID != id {
		t.Errorf("%+v", a.Changed)
	}
	check("edited", string(id))
	after := c.read("MEMORY.md")
	c.loseIndex()
	c.index()
	check("without the index", string(c.idOf("My diagnosis lies with Doctor Meyer")))
	c.write("MEMORY.md", before)
	c.index()
	edit = stepOn(c.review(memory.ReviewRequest{Kind: memory.ReviewUntrusted}).Items[0], memory.ReviewEdit)
	edit.NewLines = "- My diagnosis lies with Doctor Meyer\n- He is in room 7"
	if _, err := c.ReviewStep(t.Context(), edit); !errors.Is(err, memory.ErrInvalid) || c.read("MEMORY.md") != before {
		t.Errorf("two memories: %v\n%s", err, c.read("MEMORY.md"))
	}
	edit.NewLines = "- My diagnosis lies with Doctor Meyer"
	c.step(edit)
	if c.read("MEMORY.md") != after {
		t.Errorf("again:\n%s\nwant\n%s", c.read("MEMORY.md"), after)
	}
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); err != nil || !strings.HasSuffix(c.read("MEMORY.md"), "old red barn <!-- trust: untrusted -->\n- Gardens need water\n") {
		t.Errorf("undo: %v\n%s", err, c.read("MEMORY.md"))
	}
	check("undone", edit.ID)
}
