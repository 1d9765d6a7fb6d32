package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// newPorts returns a world in which a captured port replaced another one.
func newPorts(t *testing.T) (c *captureWorld, old, wrong memory.ID) {
	t.Helper()
	c = newCaptureWorld(t, map[string]string{"MEMORY.md": "- The kayak hangs in the barn\n"})
	old = c.tell("s", "1", "Remember that the staging port is 8080.").Stored[0].ID
	a := c.tell("s", "2", "Remember that the staging port is now 8081.")
	if len(a.Stored) != 1 || !slices.Equal(a.Superseded, []memory.ID{old}) {
		t.Fatalf("stored %q, superseded %v", storedTexts(a), a.Superseded)
	}
	return c, old, a.Stored[0].ID
}

func (c *captureWorld) recalled(r memory.RecallRequest) string {
	c.t.Helper()
	r.Prompt = "What is the staging port?"
	a := must.Get(c.Recall(c.t.Context(), r))(c.t)
	return a.Context
}

func (c *captureWorld) whyNot(r memory.WhyNotRequest) memory.WhyNotAnswer {
	c.t.Helper()
	a := must.Get(c.WhyNot(c.t.Context(), r))(c.t)
	return a
}

func TestOldValueHoldsAgainWhenTheNewOneIsForgotten(t *testing.T) {
	c, old, wrong := newPorts(t)
	if a := c.whyNot(memory.WhyNotRequest{ID: string(old)}); a.Reason != memory.ReasonSuperseded {
		t.Errorf("before: %+v", a)
	}
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(wrong)}}))(t)
	if block := c.recalled(memory.RecallRequest{}); !strings.Contains(block, "8080") || strings.Contains(block, "8081") {
		t.Errorf("recalled: %s", block)
	}
	if a := c.whyNot(memory.WhyNotRequest{ID: string(old)}); a.Reason != "" {
		t.Errorf("why-not: %s, %s", a.Reason, a.Detail)
	}
	model := c.show(memory.ShowRequest{ID: string(old), For: memory.AudienceModel})
	if model.SupersededBy != nil || len(model.Successors) != 0 {
		t.Errorf("a model sees %v, %+v", model.SupersededBy, model.Successors)
	}
	if a, err := c.Explain(t.Context(), memory.ExplainRequest{ID: string(old)}); err != nil || !a.Eligible {
		t.Errorf("explain: %s, %v", a.Reason, err)
	}
	a := c.tell("s", "3", "Remember that the staging port is now 8082.")
	if len(a.Stored) != 1 || !slices.Equal(a.Superseded, []memory.ID{old}) {
		t.Errorf("the next value: stored %q, superseded %v", storedTexts(a), a.Superseded)
	}
	if block := c.recalled(memory.RecallRequest{}); strings.Contains(block, "8080") || !strings.Contains(block, "8082") {
		t.Errorf("recalled: %s", block)
	}
}
