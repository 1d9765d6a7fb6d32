package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
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
	if e.options().Retention <= 0 {
		return nil
	}
	return each(e.writableWorkspaces(), func(s *workspaceState) error { return s.purgeMissing(ctx, e.now(), e.options().Retention) })
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
	return each(e.openWorkspaces(), func(s *workspaceState) error { return s.replaced.Drain(e.options().Now()) })
}

// WatchAppends keeps a replaced file open, so that text which another program still
// appends to it can be carried over.
func (s *workspaceState) WatchAppends(t *workspace.LateAppends) { s.replaced.Watch(t) }

// FlushUses writes the pending uses and receipts of every workspace.
func (e *Engine) FlushUses(ctx context.Context) error {
	return each(e.writableWorkspaces(), func(s *workspaceState) error { return s.flush(ctx, e.options().Receipts.Keep) })
}

// flush writes the pending uses and receipts of a workspace, so that a request sees them.
// What cannot be written stays pending.
func (e *Engine) flush(ctx context.Context, s *workspaceState) {
	if !e.options().ReadOnly {
		_ = s.flush(ctx, e.options().Receipts.Keep)
	}
}

// flush writes the pending uses and receipts to the index, unless it can only be read.
func (s *workspaceState) flush(ctx context.Context, retention time.Duration) error {
	if !s.canWrite() {
		return nil
	}
	return s.uses.Flush(ctx, s.db, retention)
}

// WritePending writes the pending decisions of every workspace whose files can be
// written now, and returns how many it wrote. A running service calls it often.
func (e *Engine) WritePending(ctx context.Context) (written int, err error) {
	err = each(e.writableWorkspaces(), func(s *workspaceState) error {
		n, err := s.writePendingAlone(ctx, e.now())
		written += n
		return err
	})
	return written, err
}

// writePendingAlone writes the pending decisions while no ingest runs. It waits for none
// if nothing is pending.
func (s *workspaceState) writePendingAlone(ctx context.Context, now time.Time) (written int, err error) {
	ids, err := s.db.PendingDecisions(ctx)
	if err == nil && len(ids) > 0 && !s.Options.ReadOnly {
		err = s.inTurn(ctx, func() (err error) {
			written, err = s.plans.WritePendingUnlessBusy(ctx, now)
			return err
		})
	}
	return written, err
}

// Backup checks and copies every index that changed since its last backup. If a
// database is damaged or lost, the copy has what cannot be salvaged.
func (e *Engine) Backup(ctx context.Context) error { return e.backup(ctx, false) }

// CheckDue checks every index for damage, which includes flipped bits inside rows, and
// makes a backup of it, if its last backup is backup.Every old. A damaged index replaces
// no backup, and Repair rebuilds it.
func (e *Engine) CheckDue(ctx context.Context) error { return e.backup(ctx, true) }

// backup makes backups; unchanged: also of an index that has not changed, if its backup
// is due.
func (e *Engine) backup(ctx context.Context, unchanged bool) error {
	return each(e.writableWorkspaces(), func(s *workspaceState) error {
		if unchanged && !s.backups.IsDue(e.now()) {
			return nil
		}
		return errors.Join(s.flush(ctx, e.options().Receipts.Keep), s.backups.Make(ctx, unchanged))
	})
}

// PurgeCopies removes what is left of destroyed texts in every copy of them that the
// program has made.
func (s *workspaceState) PurgeCopies(ctx context.Context) (notices []string, err error) {
	s.models.ClearTopics()
	s.uses.DropPrompts()
	notices, err = s.backups.Purge(ctx)
	if err != nil {
		return notices, err
	}
	more, err := s.saved.Purge(ctx)
	if notices = append(notices, more...); err != nil {
		return notices, err
	}
	if folder, err := s.openFolder(); err == nil {
		return notices, folder.CleanUp(ctx)
	}
	return notices, nil
}

// findOldBackup finds an index without a recent backup.
func (e *Engine) findOldBackup(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	message, err := s.backups.Problem(ctx, e.now(), s.zone())
	if message == "" {
		return nil, err
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: message}}, nil
}

func (e *Engine) mendBackup(ctx context.Context, name string) error {
	s, err := e.lookup(name)
	if err != nil {
		return err
	}
	return s.backups.Make(ctx, true)
}

// FindDates searches git for the commits that introduced the memories without a
// date, in every workspace and for about so long at most. It reads one file at a
// time, the newest first, and each memory once. more reports that memories are left.
func (e *Engine) FindDates(ctx context.Context, within time.Duration) (more bool, err error) {
	deadline := time.Now().Add(within)
	err = each(e.writableWorkspaces(), func(s *workspaceState) error {
		left, err := s.findDates(ctx, e.now, deadline)
		more = more || left
		return err
	})
	return more, err
}

// Without a service, Index searches for dates after its work. Git needs some 10 ms
// for a short file, so that datesWait is enough for most workspaces. A command that
// indexes before it answers waits for datesShare of the time that it leaves for
// embedding, half a second. The next command continues.
const (
	datesWait  = 10 * time.Second
	datesShare = 0.1
)

// findDatesWithin searches for dates in one workspace. embedWithin is the time that
// the caller leaves for embedding; 0: no limit.
func (e *Engine) findDatesWithin(ctx context.Context, s *workspaceState, embedWithin time.Duration) {
	limit := datesWait
	if embedWithin > 0 {
		limit = time.Duration(datesShare * float64(embedWithin))
	}
	_, _ = s.findDates(ctx, e.now, time.Now().Add(limit)) // explain shows what is missing
}

func (s *workspaceState) findDates(ctx context.Context, now func() time.Time, deadline time.Time) (more bool, err error) {
	if s.Options.Documents {
		return false, nil
	}
	return s.dates.Find(ctx, now, func() bool { return !time.Now().Before(deadline) })
}

// readFile returns the present text of a file of the workspace.
func (s *workspaceState) readFile(path string) ([]byte, error) {
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	text, _, err := folder.Read(path)
	return text, err
}
