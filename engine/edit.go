package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Edit replaces the text of a memory in its file, if it is still what the person saw.
func (e *Engine) Edit(ctx context.Context, r memory.EditRequest) (a memory.ChangeAnswer, err error) {
	err = e.command(ctx, r.Workspace, func(s *workspaceState, now time.Time) error {
		if a, err = s.commands.Edit(ctx, now, r); err != nil {
			return err
		}
		return s.db.Show(ctx, memory.View{}, a.Changed)
	})
	return a, err
}

// Feedback stores what a person thinks of a memory that a model got. Never again is a
// declaration in its file, also for the copies of its text. Wrong and useful are rows of the
// index, which count for questions like the one that was asked.
func (e *Engine) Feedback(ctx context.Context, r memory.FeedbackRequest) (a memory.ChangeAnswer, err error) {
	err = e.command(ctx, r.Workspace, func(s *workspaceState, now time.Time) error {
		m, err := lookup.Find(ctx, s.db, r.ID)
		if err != nil {
			return err
		}
		query, err := s.commands.QueryOf(ctx, r, e.receiptsOf(ctx, s), m.ID)
		if err != nil {
			return err
		}
		if a, err = s.commands.Feedback(ctx, now, r.Verdict, m.ID, query); err != nil {
			return err
		}
		return s.db.Show(ctx, memory.View{}, a.Changed)
	})
	return a, err
}

// Grade gives an importance to the visible memories that have none, by the rules of
// package grade. It writes the index alone.
func (e *Engine) Grade(ctx context.Context, r memory.GradeRequest) (a memory.GradeAnswer, err error) {
	s, err := e.writable(r.Workspace, r.Preview)
	if err == nil {
		err = ageing.ValidateGrade(&r)
	}
	if err != nil {
		return a, err
	}
	err = s.inTurn(ctx, func() (err error) {
		now := e.now()
		if !r.Preview {
			err = s.Snapshot(ctx, now, "before grade")
		}
		if err == nil {
			a, err = ageing.Grade(ctx, s.db, now, r, maxAnswer)
		}
		return err
	})
	return a, err
}
