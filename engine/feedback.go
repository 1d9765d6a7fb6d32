package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Feedback stores what a person thinks of a memory that a model got. Never again is a
// declaration in its file, also for the copies of its text. Wrong and useful are rows of the
// index, which count for questions like the one that was asked.
func (e *Engine) Feedback(ctx context.Context, r memory.FeedbackRequest) (memory.ChangeAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	m, err := lookup.Find(ctx, s.db, r.ID)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	query, err := s.verdicts.Query(ctx, r, e.receiptsOf(ctx, s), m.ID)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	defer unlock()
	a, err := s.verdicts.Give(ctx, e.now(), r.Verdict, m.ID, query)
	if err != nil {
		return a, err
	}
	return a, s.db.Show(ctx, memory.View{}, a.Changed)
}
