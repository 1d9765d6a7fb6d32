package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/review"
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
	points, err := s.points.Find(ctx, e.now(), e.options().Tiers)
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
	return a, nil
}

// ReviewStep does what a person decides about one point of a review, or reverses an
// earlier step. It returns when the step is in the files.
func (e *Engine) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = review.Validate(r)
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
	a, err := s.steps.Run(ctx, now, r)
	if err != nil {
		return a, err
	}
	return a, s.db.Show(ctx, memory.View{}, a.Changed)
}
