package commands

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// ReviewStep does what a person decides about one point, or reverses an earlier step.
func (c Commands) ReviewStep(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	if r.Action == memory.ReviewUndo {
		undone, err := c.undoStep(ctx, now, r.Batch)
		return memory.ReviewStepAnswer{Action: memory.ReviewUndo, Changed: undone.Changed, Batch: undone.Batch, Notices: undone.Notices}, err
	}
	step, err := c.newStep(ctx, now, r)
	if err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	return step.run(ctx)
}

// step is one step under way.
type step struct {
	Commands
	now     time.Time
	request memory.ReviewStepRequest
	memory  index.Declarations
	other   *index.Declarations
	plan    *plan.Plan
}

// newStep indexes the files of the memories and reads what is declared about them.
func (c Commands) newStep(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (*step, error) {
	next := &step{Commands: c, now: now, request: r}
	names := []string{r.ID}
	if r.Other != "" {
		names = append(names, r.Other)
	}
	var ids []memory.ID
	for _, name := range names {
		m, err := lookup.Find(ctx, c.DB, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 2 && ids[0] == ids[1] {
		return nil, memory.Invalid("other", "both memories are the same")
	}
	if err := c.Refresh(ctx, now, memory.Action(r.Action), ids); err != nil {
		return nil, err
	}
	declarations, err := c.DB.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	if len(declarations) != len(ids) {
		return nil, memory.Conflict("a memory of this point is gone").WithHint("look at it again: memory review")
	}
	next.memory = declarations[0]
	if len(ids) == 2 {
		next.other = &declarations[1]
		if r.Action == memory.ReviewMerge && next.memory.Memory.User != next.other.Memory.User {
			return nil, memory.Invalid("other", "the memories belong to different users").WithHint("a merge would take one away from its user; forget one of them")
		}
	}
	for _, d := range declarations {
		if m := d.Memory; m.Missing {
			return nil, memory.Conflict("%s changed meanwhile at line %d", m.Path, m.LineStart).WithHint("look at it again: memory review")
		}
	}
	return next, nil
}

// run does the step, and notes that the point is settled.
func (s *step) run(ctx context.Context) (memory.ReviewStepAnswer, error) {
	a := memory.ReviewStepAnswer{Action: s.request.Action}
	if err := s.prepare(ctx); err != nil {
		return a, err
	}
	if marks := s.marks(); len(marks) > 0 {
		s.plan.Then = append(s.plan.Then, func(tx *index.Tx) error { return tx.AddReviewed(s.plan.Batch, marks) })
	}
	done, err := s.Apply(ctx, s.now, s.plan, memory.DecideRequest{})
	if err != nil {
		return a, err
	}
	current, err := lookup.Current(ctx, s.DB, []memory.ID{s.memory.Memory.ID})
	a.Batch, a.Notices, a.Changed = done.Batch, done.Notices, []memory.Memory{current[s.memory.Memory.ID]}
	return a, err
}

// prepare plans what the step declares. A step without a declaration is in the audit
// too, so that it can be undone.
func (s *step) prepare(ctx context.Context) error {
	m := s.memory.Memory
	action := memory.Action(s.request.Action)
	s.plan = plan.New(s.now, action, "cli", false)
	switch s.request.Action {
	case memory.ReviewPin, memory.ReviewForget:
		p, err := plan.ForDecision(ctx, s.DB, s.Zone, s.now, memory.DecideRequest{Action: action, Source: "cli"}, []memory.ID{m.ID})
		if err != nil {
			return err
		}
		s.plan = p
	case memory.ReviewTrust:
		if m.Trust != memory.TrustTrusted {
			raised, after := s.memory.Own, m
			raised.Trust, after.Trust = memory.TrustTrusted, memory.TrustTrusted
			s.plan.Change(s.memory, raised, after)
		}
	case memory.ReviewMerge:
		s.merge()
	}
	if len(s.plan.Rows) == 0 {
		s.plan.RecordChange(m, m)
	}
	return nil
}

// merge declares that the first memory supersedes the other one, and passes on its pin.
func (s *step) merge() {
	stays, gone := s.memory.Memory, s.other.Memory
	if gone.Pinned && !stays.Pinned {
		pinned, after := s.memory.Own, stays
		pinned.Pinned, after.Pinned = new(true), true
		s.plan.Change(s.memory, pinned, after)
	}
	declared, after := s.other.Own, gone
	declared.SupersededBy, after.SupersededBy = stays.ID.Linked(), &stays.ID
	s.plan.Change(*s.other, declared, after)
}

// aboutTrust lists reasons to look at a memory: a person who looked for one has seen it for all.
var aboutTrust = []memory.ReviewKind{memory.ReviewQuarantined, memory.ReviewUntrusted, memory.ReviewCaptured}

// marks returns what the step settles.
func (s *step) marks() (marks []index.ReviewMark) {
	r := s.request
	if r.Action == memory.ReviewForget || r.Action == memory.ReviewMerge {
		return nil
	}
	kinds := []memory.ReviewKind{r.Kind}
	switch {
	case slices.Contains(aboutTrust, r.Kind):
		kinds = aboutTrust
	case r.Kind == "":
		kinds = slices.DeleteFunc(slices.Clone(memory.ReviewKinds), func(k memory.ReviewKind) bool { return k.IsPair() != (s.other != nil) })
	}
	var other *memory.Memory
	if s.other != nil {
		other = &s.other.Memory
	}
	for _, kind := range kinds {
		marks = append(marks, reviewMark(kind, s.memory.Memory, other))
	}
	return marks
}

// ValidateStep returns what is wrong with a request for a step of a review.
func ValidateStep(r memory.ReviewStepRequest) error {
	switch {
	case r.Action == "":
		return memory.Invalid("action", "the action is missing").WithHint("one of: keep, merge, pin, trust, forget, undo")
	case r.Action == memory.ReviewUndo && r.Batch == "":
		return memory.Invalid("batch", "the step to undo is missing").WithHint("batch is what the answer to the step returned")
	case r.Action == memory.ReviewUndo:
		return nil
	case r.ID == "":
		return memory.Invalid("id", "the id is missing")
	case (r.Action == memory.ReviewMerge || r.Kind.IsPair() && r.Action == memory.ReviewKeep) && r.Other == "":
		return memory.Invalid("other", "the second memory is missing")
	}
	return nil
}
