package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Review lists what a person should look at. It is no answer for a model.
func (e *Engine) Review(ctx context.Context, r memory.ReviewRequest) (memory.ReviewAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ReviewAnswer{}, err
	}
	if s.Options.Documents { // nobody vouches for them, and nobody has to
		return memory.ReviewAnswer{Kinds: map[memory.ReviewKind]int{}, Stale: e.options().ReadOnly}, nil
	}
	limit, err := lookup.Limit(r.Limit, lookup.MaxAnswer, lookup.MaxAnswer)
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
func (e *Engine) ReviewStep(ctx context.Context, r memory.ReviewStepRequest) (a memory.ReviewStepAnswer, err error) {
	if err := commands.ValidateStep(r); err != nil {
		return a, err
	}
	err = e.command(ctx, r.Workspace, func(s *workspaceState, now time.Time) error {
		if a, err = s.inPlace.ReviewStep(ctx, now, r); err != nil {
			return err
		}
		return s.db.Show(ctx, memory.View{}, a.Changed)
	})
	return a, err
}
