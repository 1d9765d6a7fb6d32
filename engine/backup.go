package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
)

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
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() && !e.options().ReadOnly && (!unchanged || s.backups.IsDue(e.now())) {
			errs = append(errs, e.backupOf(ctx, s, unchanged))
		}
	}
	return errors.Join(errs...)
}

func (e *Engine) backupOf(ctx context.Context, s *workspaceState, unchanged bool) error {
	return errors.Join(s.flush(ctx, e.options().Receipts.Keep), s.backups.Make(ctx, unchanged))
}

// PurgeCopies removes what is left of destroyed texts in every copy of them that the
// program has made.
func (s *workspaceState) PurgeCopies(ctx context.Context) (notices []string, err error) {
	s.models.ClearTopics()
	notices, err = s.backups.Purge(ctx)
	if err != nil {
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
