package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Load loads a workspace's in-memory index, so that later queries are fast. Queries
// are answered meanwhile. It does nothing if the index is loaded or is turned off.
func (e *Engine) Load(ctx context.Context, workspace string) error {
	s, err := e.lookup(workspace)
	if err != nil {
		return err
	}
	return s.db.Load(ctx)
}

// PurgeMissing deletes the memories, in every workspace, whose text has been
// missing for longer than the retention time. It deletes nothing by a clock that is
// not believed.
func (e *Engine) PurgeMissing(ctx context.Context) error {
	if e.options().Retention <= 0 || e.options().ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			errs = append(errs, s.purgeMissing(ctx, e.now(), e.options().Retention))
		}
	}
	return errors.Join(errs...)
}

func (s *workspaceState) purgeMissing(ctx context.Context, now time.Time, retention time.Duration) error {
	if doubtful, err := ageing.IsClockDoubtful(ctx, s.db, now); doubtful || err != nil {
		return err
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error {
		_, err := tx.Purge(tx.Now.Add(-retention))
		return errors.Join(err, tx.DropCaptures())
	})
}

// DrainAppends carries over text that was appended to files after they were
// replaced, in every workspace. A running service calls it every second.
func (e *Engine) DrainAppends(context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			errs = append(errs, s.replaced.drain(e.options().Now()))
		}
	}
	return errors.Join(errs...)
}

// WatchAppends keeps a replaced file open, so that text which another program still
// appends to it can be carried over.
func (s *workspaceState) WatchAppends(t *workspace.LateAppends) { s.replaced.watch(t) }

// FlushUses writes the pending uses and receipts of every workspace.
func (e *Engine) FlushUses(ctx context.Context) error {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !e.options().ReadOnly {
			if err := s.flush(ctx, e.options().Receipts.Keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the pending uses and receipts of a workspace, so that a request sees them.
// What cannot be written stays pending.
func (e *Engine) flush(ctx context.Context, s *workspaceState) {
	if !e.options().ReadOnly {
		_ = s.flush(ctx, e.options().Receipts.Keep)
	}
}

// flush writes the pending uses and receipts to the index, unless its disk is full.
func (s *workspaceState) flush(ctx context.Context, retention time.Duration) error {
	if s.isDiskFull() {
		return nil
	}
	return s.uses.Flush(ctx, s.db, retention)
}

// WritePending writes the pending decisions of every workspace whose files can be
// written now, and returns how many it wrote. A running service calls it often.
func (e *Engine) WritePending(ctx context.Context) (written int, err error) {
	if e.options().ReadOnly {
		return 0, nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || s.Options.ReadOnly {
			continue
		}
		n, err := s.writePendingAlone(ctx, e.now())
		written, errs = written+n, append(errs, err)
	}
	return written, errors.Join(errs...)
}

// writePendingAlone writes the pending decisions while no ingest runs. It waits for none
// if nothing is pending.
func (s *workspaceState) writePendingAlone(ctx context.Context, now time.Time) (written int, err error) {
	if ids, err := s.db.PendingDecisions(ctx); err != nil || len(ids) == 0 {
		return 0, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return s.decisions.WritePendingUnlessBusy(ctx, now)
}
