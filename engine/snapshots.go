package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/snapshot"
)

// Snapshots lists, makes, restores or removes snapshots of a workspace.
func (e *Engine) Snapshots(ctx context.Context, r memory.SnapshotRequest) (a memory.SnapshotAnswer, err error) {
	s, err := e.writable(r.Workspace, snapshot.OnlyReads(r))
	if err == nil {
		err = snapshot.Validate(r)
	}
	switch {
	case err != nil:
	case snapshot.OnlyReads(r):
		a, err = s.saved.Do(ctx, e.now(), r, s.plans)
	default:
		err = e.command(ctx, r.Workspace, func(s *workspaceState, now time.Time) error {
			err := s.RefreshAll(ctx, now)
			if err == nil {
				a, err = s.saved.Do(ctx, now, r, s.plans)
			}
			return errors.Join(err, s.inPlace.PutBack(ctx, now, a.Restored))
		})
	}
	if err == nil && a.Restored != nil {
		err = errors.Join(s.commands.WithholdForgotten(ctx, a.Restored.Changed), s.db.Show(ctx, memory.View{}, a.Restored.Changed))
	}
	if err == nil && !snapshot.OnlyReads(r) {
		e.keepReceipt(ctx, s, receipts.OfSnapshot(r.Action, a))
	}
	return a, err
}

// Snapshot saves what is decided about all memories, before a command that changes many.
func (s *workspaceState) Snapshot(ctx context.Context, now time.Time, cause string) error {
	_, err := s.saved.Create(ctx, now, cause, "")
	return err
}

// SnapshotDue makes the daily snapshots that are due.
func (e *Engine) SnapshotDue(ctx context.Context) error {
	return each(e.writableWorkspaces(), func(s *workspaceState) error {
		if !s.currentHealth().scannedAll {
			return nil
		}
		a, err := s.saved.Daily(ctx, e.now())
		if len(a.Snapshots) > 0 {
			e.keepReceipt(ctx, s, receipts.OfSnapshot("daily", a))
		}
		return err
	})
}
