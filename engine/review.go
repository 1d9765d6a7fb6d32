package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// Review lists what a person should look at. It is no answer for a model.
func (e *Engine) Review(ctx context.Context, r memory.ReviewRequest) (memory.ReviewAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ReviewAnswer{}, err
	}
	limit, err := resolveLimit(r.Limit, maxAnswer, maxAnswer)
	if err != nil {
		return memory.ReviewAnswer{}, err
	}
	points, err := s.reviewPoints(ctx, e.now(), e.options().Tiers)
	if err != nil {
		return memory.ReviewAnswer{}, err
	}
	a := memory.ReviewAnswer{Kinds: map[memory.ReviewKind]int{}, Stale: e.options().ReadOnly}
	for _, kind := range memory.ReviewKinds {
		a.Kinds[kind] = 0
	}
	for _, item := range points {
		a.Kinds[item.Kind]++
		if r.Kind != "" && r.Kind != item.Kind {
			continue
		}
		if a.Total++; !r.Count && len(a.Items) < limit {
			a.Items = append(a.Items, item)
		}
	}
	return a, s.addLines(ctx, a.Items)
}

// ReviewStep does what a person decides about one point of a review, or reverses an
// earlier step. It returns when the step is in the files.
func (e *Engine) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = validateStep(r)
	}
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	defer unlock()
	now := e.now()
	if err := s.decisions.FinishIntents(ctx, now, true); err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	if r.Action == memory.ReviewUndo {
		return s.undoStep(ctx, now, r.Batch)
	}
	step, err := s.newStep(ctx, now, r)
	if err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	return step.run(ctx)
}

func validateStep(r memory.ReviewStepRequest) error {
	isPair := r.Kind == memory.ReviewContradiction || r.Kind == memory.ReviewNearDuplicate
	switch {
	case r.Action == "":
		return memory.Invalid("action", "the action is missing").WithHint("one of: keep, edit, merge, pin, trust, forget, undo")
	case r.Action == memory.ReviewUndo && r.Batch == "":
		return memory.Invalid("batch", "the step to undo is missing").WithHint("batch is what the answer to the step returned")
	case r.Action == memory.ReviewUndo:
		return nil
	case r.ID == "":
		return memory.Invalid("id", "the id is missing")
	case r.Kind == "":
		return memory.Invalid("kind", "the kind is missing").WithHint("the kind of the point that the review listed")
	case (r.Action == memory.ReviewMerge || isPair && r.Action == memory.ReviewKeep) && r.Other == "":
		return memory.Invalid("other", "the second memory is missing")
	case r.Action == memory.ReviewMerge && r.OtherLines == "" && r.OtherLinesHash == "":
		return memory.Invalid("other_lines_hash", "the lines of the second memory are not named").WithHint("send other_lines_hash as the review listed it")
	case r.Action == memory.ReviewEdit && r.Lines == "" && r.LinesHash == "":
		return memory.Invalid("lines_hash", "the lines of the memory are not named").WithHint("send lines_hash as the review listed it")
	}
	return nil
}
