package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/memory-tiered/memory/engine/statefolder"
)

// Backup checks and copies every index that changed since its last backup. If a
// database is damaged or lost, the copy has what cannot be salvaged.
func (e *Engine) Backup(ctx context.Context) error { return e.backup(ctx, false) }

// CheckDue checks every index for damage, which includes flipped bits inside rows, and
// makes a backup of it, if its last backup is BackupEvery old. A damaged index replaces
// no backup, and Repair rebuilds it.
func (e *Engine) CheckDue(ctx context.Context) error { return e.backup(ctx, true) }

// backup makes backups; unchanged: also of an index that has not changed, if its backup
// is due.
func (e *Engine) backup(ctx context.Context, unchanged bool) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() && !e.options().ReadOnly && (!unchanged || s.isBackupDue(e.now())) {
			errs = append(errs, s.flush(ctx, e.options().Receipts.Keep), s.backup(ctx, unchanged))
		}
	}
	return errors.Join(errs...)
}

// isBackupDue reports whether the last attempt of a backup is BackupEvery old, or in
// the future because the clock went back. The file has the time of one before the
// start.
func (s *workspaceState) isBackupDue(now time.Time) bool {
	last := s.currentHealth().backupTriedAt
	if info, err := os.Stat(statefolder.BackupPath(s.DBPath)); last.IsZero() && err == nil {
		last = info.ModTime()
	}
	if age := now.Sub(last); age >= 0 && age < BackupEvery {
		return false
	}
	s.updateHealth(func(h *health) { h.backupTriedAt = now })
	return true
}

// backup checks and copies the index; unchanged: even if the backup is up to date.
func (s *workspaceState) backup(ctx context.Context, unchanged bool) error {
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
	revision, err := s.db.Revision(ctx)
	if err != nil || !unchanged && revision == s.currentHealth().backupRevision {
		return err
	}
	if err := s.dropFormerLines(ctx); err != nil {
		return err
	}
	if err := s.db.CheckedBackup(ctx, statefolder.BackupPath(s.DBPath)); err != nil {
		return err
	}
	s.updateHealth(func(h *health) { h.backupRevision = revision })
	return nil
}

// PurgeCopies writes the backup again and removes all other copies that we made. A
// damaged database that was set aside is removed, because it cannot be rewritten.
func (s *workspaceState) PurgeCopies(ctx context.Context) (notices []string, err error) {
	s.topics.clear()
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
	backup := statefolder.BackupPath(s.DBPath)
	if _, statErr := os.Stat(backup); statErr == nil {
		revision, err := s.db.Revision(ctx)
		if err == nil {
			err = s.db.Backup(ctx, backup)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s was removed, because it could not be written again: %v", backup, err))
			if err := os.Remove(backup); err != nil {
				return notices, err
			}
			revision = 0
		}
		s.updateHealth(func(h *health) { h.backupRevision = revision })
	}
	if err := errors.Join(statefolder.RemoveTemporary(s.DBPath), statefolder.RemoveLeftEdits(s.stateDir)); err != nil {
		return notices, err
	}
	damaged, err := statefolder.SetAside(s.DBPath)
	if err != nil {
		return notices, err
	}
	for _, file := range damaged {
		if err := os.Remove(file); err != nil {
			return notices, err
		}
		notices = append(notices, file+" was removed: it was a damaged index, from which a single text cannot be deleted")
	}
	if folder, err := s.openFolder(); err == nil {
		return notices, folder.CleanUp(ctx)
	}
	return notices, nil
}

// adoptRecentBackup takes an existing backup younger than every for up to date.
// This saves a full copy at each start.
func (s *workspaceState) adoptRecentBackup(ctx context.Context, now time.Time, every time.Duration) {
	if info, err := os.Stat(statefolder.BackupPath(s.DBPath)); err == nil && now.Sub(info.ModTime()) < every {
		if revision, err := s.db.Revision(ctx); err == nil {
			s.updateHealth(func(h *health) { h.backupRevision = revision })
		}
	}
}
