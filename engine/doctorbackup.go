package engine

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/statefolder"
)

// maxBackupAge is the age at which a backup is too old: the service makes one every
// BackupEvery, and may have slept a day.
const maxBackupAge = BackupEvery + 24*time.Hour

// findOldBackup finds an index without a recent backup. Only the index has the uses and
// the audit. A new index needs no backup yet.
func (e *Engine) findOldBackup(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	since, err := s.db.FirstSeen(ctx)
	if err != nil || since.IsZero() || e.now().Sub(since) < maxBackupAge {
		return nil, err
	}
	info, err := os.Stat(statefolder.BackupPath(s.DBPath))
	message := ""
	switch {
	case errors.Is(err, os.ErrNotExist):
		message = "there is no backup of the index, which alone has the uses and the audit"
	case err != nil:
		return nil, err
	case e.now().Sub(info.ModTime()) > maxBackupAge:
		message = "the last backup of the index is of " + info.ModTime().In(s.zone()).Format("2006-01-02 15:04")
	default:
		return nil, nil
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: message}}, nil
}

func (e *Engine) mendBackup(ctx context.Context, name string) error {
	s, err := e.lookup(name)
	if err != nil {
		return err
	}
	return s.backup(ctx, true)
}
