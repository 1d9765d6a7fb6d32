package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/knowledge"
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

// ChangeEntity writes what a person decides about a name into [lookup.NamesFile].
func (e *Engine) ChangeEntity(ctx context.Context, r knowledge.ChangeEntityRequest) (a memory.ChangeAnswer, err error) {
	err = e.command(ctx, r.Workspace, func(s *workspaceState, now time.Time) error {
		m, batch, err := s.store.DecideName(ctx, now, r)
		a = memory.ChangeAnswer{Action: r.Action, Changed: memory.List[memory.Memory]{m}, Batch: batch}
		return err
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

// Grade grades the visible memories. It writes the index alone.
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
		a, err = ageing.Grade(ctx, s.db, now, r, lookup.MaxAnswer, func() error { return s.Snapshot(ctx, now, "before grade") })
		return err
	})
	if err == nil && !r.Preview && a.Updated+a.Overwritten > 0 {
		e.keepReceipt(ctx, s, receipts.OfGrade(a))
	}
	return a, err
}

// GradeDue grades the memories of every workspace if that is due, also those that were edited.
func (e *Engine) GradeDue(ctx context.Context) error {
	return each(e.writableWorkspaces(), func(s *workspaceState) error {
		due, err := ageing.IsGradingDue(ctx, s.db, e.options().Grading, s.zone(), e.now())
		if due && err == nil && !s.Options.Documents && s.currentHealth().scannedAll {
			if _, err = e.Grade(ctx, memory.GradeRequest{Workspace: s.Name, Force: true, Fields: memory.GradeFields}); err == nil {
				err = s.db.Update(ctx, e.now(), (*index.Tx).SetLastGrading)
			}
		}
		return err
	})
}
