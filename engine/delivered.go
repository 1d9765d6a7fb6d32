package engine

import (
	"context"
	"time"
)

// Delivered records that the answer with this receipt reached its reader, which
// counts its memories as used.
func (e *Engine) Delivered(ctx context.Context, workspace, receipt string) error {
	s, err := e.lookup(workspace)
	if err == nil {
		s.uses.Confirm(ctx, s.db, receipt, e.now().In(s.zone()))
	}
	return err
}

// zone returns the workspace's time zone, whose days a use is counted in.
func (s *workspaceState) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

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

// flush writes the pending uses and receipts to the index, unless its disk is full.
func (s *workspaceState) flush(ctx context.Context, retention time.Duration) error {
	if s.isDiskFull() {
		return nil
	}
	return s.uses.Flush(ctx, s.db, retention)
}
