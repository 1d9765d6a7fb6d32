package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestMergePassesOnWhatTheDeletedMemorySuperseded merges a new value away that superseded
// an old one, and undoes that.
func TestMergePassesOnWhatTheDeletedMemorySuperseded(t *testing.T) {
	c := newCaptureWorld(t, nil)
	old := c.tell("a", "1", "Remember that the staging server in Hamburg listens on port 8080.").Stored[0].ID
	c.tell("b", "2", "Remember that the staging server in Hamburg now listens on port 8081.")
	successor := c.show(memory.ShowRequest{ID: string(old)}).SupersededBy
	if successor == nil {
		t.Fatal("the old value is not superseded")
	}
	const kept = "The staging server in Hamburg now really listens on port 8081"
	c.write("MEMORY.md", "# Office\n- "+kept+"\n")
	c.index()
	file := c.show(memory.ShowRequest{ID: string(old)}).Path
	before, stays := c.read(file), c.idOf(kept)
	merge := func() {
		t.Helper()
		for _, item := range c.review(memory.ReviewRequest{}).Items {
			if item.Kind != memory.ReviewNearDuplicate {
				continue
			}
			r := memory.ReviewStepRequest{Action: memory.ReviewMerge, Kind: item.Kind, ID: string(stays), Other: string(*successor), OtherLines: item.OtherLines}
			if item.Memory.ID == *successor {
				r.OtherLines = item.Lines
			}
			c.step(r)
			return
		}
		t.Fatal("the review does not offer the merge")
	}
	superseded := func() memory.ID {
		if by := c.show(memory.ShowRequest{ID: string(old)}).SupersededBy; by != nil {
			return *by
		}
		return ""
	}
	merge()
	if got := superseded(); got != stays {
		t.Errorf("after the merge the old value is superseded by %q, want %q", got, stays)
	}
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); err != nil || superseded() != *successor || c.read(file) != before {
		t.Errorf("undo: %v; superseded by %q, want %q:\n%s", err, superseded(), *successor, c.read(file))
	}
	merge()
	c.loseIndex()
	if got := superseded(); got != stays {
		t.Errorf("after a lost index: %q, want %q", got, stays)
	}
}

// TestEditThatLeavesOtherMemoriesPassesOnWhatTheFormerSuperseded edits a new value that
// superseded an old one, until other memories stand in its lines.
func TestEditThatLeavesOtherMemoriesPassesOnWhatTheFormerSuperseded(t *testing.T) {
	c := newCaptureWorld(t, nil)
	old := c.tell("a", "1", "Remember that the staging server in Hamburg listens on port 8080.").Stored[0].ID
	next := c.tell("b", "2", "Remember that the staging server in Hamburg now listens on port 8081.").Stored[0].ID
	superseded := func() memory.ID {
		if by := c.show(memory.ShowRequest{ID: string(old)}).SupersededBy; by != nil {
			return *by
		}
		return ""
	}
	if superseded() != next {
		t.Fatal("the old value is not superseded")
	}
	before := c.read(capturedFile)
	for _, item := range c.review(memory.ReviewRequest{Kind: memory.ReviewCaptured}).Items {
		if item.Memory.ID != next {
			continue
		}
		edit := stepOn(item, memory.ReviewEdit)
		edit.NewLines = "- Hamburg was given up in May\n- Bremen replaces it, on another port than before"
		a := c.step(edit)
		if len(a.Changed) == 0 || a.Changed[0].ID == next {
			t.Fatalf("the edit left %+v", a.Changed)
		}
		if got := superseded(); got != a.Changed[0].ID {
			t.Errorf("the old value is superseded by %q, want %q:\n%s", got, a.Changed[0].ID, c.read(capturedFile))
		}
	}
	block, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "Which port does the staging server in Hamburg listen on?"})
	if err != nil || strings.Contains(block.Context, "8080") {
		t.Errorf("injected %s, %v", block.Context, err)
	}
	c.undo(1)
	if got := superseded(); got != next || c.read(capturedFile) != before {
		t.Errorf("undo: superseded by %q, want %q:\n%s", got, next, c.read(capturedFile))
	}
}
