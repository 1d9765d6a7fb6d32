package engine

import (
	"context"
	"math"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/recall"
)

// Explain returns the factors of a memory's score, and whether its state excludes
// it from injection.
func (e *Engine) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	s, who, err := e.ask(r.Workspace, r.Sender, r.For)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	now := e.now()
	e.flush(ctx, s)
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	if m.CreatedFrom, m.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return memory.ExplainAnswer{}, err
	}
	settings := s.models.RecallSettings()
	a := memory.ExplainAnswer{Memory: m, Query: r.Query, TierReason: m.TierReason,
		EffectiveAgeDays: decay.EffectiveAge(&m, now).Hours() / 24}
	if half := settings.HalfLives.Days(&m); !math.IsInf(half, 1) {
		a.HalfLifeDays = &half
	}
	seen := memory.Predicate{View: who, Archive: true, Forgotten: memory.Include}
	if a.Similarity, err = s.models.SimilarityOf(ctx, now, m.ID, r.Query, seen); err != nil {
		return memory.ExplainAnswer{}, err
	}
	var factors []memory.Factor
	a.Score, factors = recall.Score(m, a.Similarity, now, settings)
	a.Factors = factors
	state, err := lookup.WithoutHiddenSuccessor(ctx, s.db, recall.Pushed(e.askerFor(who, m), now), m)
	if err != nil {
		return a, err
	}
	reason, detail := receipts.ReasonOfState(state, recall.Pushed(memory.View{}, now))
	a.Eligible, a.Reason = reason == "", detail
	if a.Eligible {
		a.Reason = "nothing in its state excludes it"
		if m.User != "" {
			a.Reason += "; " + receipts.BelongsTo(m)
		}
	}
	if who.Model || who.Users != nil {
		return a, nil
	}
	verdicts, err := s.db.Feedback(ctx)
	a.Reason += receipts.ReasonOfFeedback(verdicts, m.ID)
	return a, err
}
