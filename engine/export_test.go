package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// StopAfter makes destroy stop after a step, as a crash would.
func (e *Engine) StopAfter(stop func(step string) error) {
	for _, s := range e.sortedWorkspaces() {
		s.afterStep = stop
	}
}

// Supersede marks a memory as superseded by another one.
func (e *Engine) Supersede(ctx context.Context, id, by memory.ID) error {
	s, err := e.lookup("")
	if err != nil {
		return err
	}
	return s.db.Update(ctx, e.now(), func(tx *index.Tx) error { return tx.Supersede(id, by) })
}

// Check is CheckDue when the backup of every workspace is due.
func (e *Engine) Check(ctx context.Context) error {
	return each(e.openWorkspaces(), func(s *workspaceState) error {
		return errors.Join(s.flush(ctx, 0), s.backups.Make(ctx, true))
	})
}
