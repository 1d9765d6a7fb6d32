package statefolder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/memory-tiered/memory/index"
)

// backupInterval is the time between backups of an index that changes. A backup saves use
// counts and the audit only, which are not worth copying more often.
const backupInterval = 6 * time.Hour

// Backups makes and removes the copies of one database.
type Backups struct {
	db   *index.DB
	path string // of the database

	writing sync.Mutex // held while a backup is written

	stateMu  sync.Mutex
	inBackup int64     // the index revision in the last backup
	triedAt  time.Time // when a backup was last due
}

// NewBackups returns the backups of the database at a path.
func NewBackups(db *index.DB, path string) *Backups { return &Backups{db: db, path: path} }

// Hold keeps a backup from being written until release. A backup that runs would appear at
// the old place of a database that is moved or replaced.
func (b *Backups) Hold() (release func()) {
	b.writing.Lock()
	return b.writing.Unlock
}

func (b *Backups) revision() int64 {
	b.stateMu.Lock()
	defer b.stateMu.Unlock()
	return b.inBackup
}

func (b *Backups) setRevision(revision int64) {
	b.stateMu.Lock()
	defer b.stateMu.Unlock()
	b.inBackup = revision
}

// IsDue reports whether the last attempt of a backup is backupInterval old, or in
// the future because the clock went back. The file has the time of one before the
// start.
func (b *Backups) IsDue(now time.Time) bool {
	b.stateMu.Lock()
	defer b.stateMu.Unlock()
	last := b.triedAt
	if info, err := os.Stat(BackupPath(b.path)); last.IsZero() && err == nil {
		last = info.ModTime()
	}
	if age := now.Sub(last); age >= 0 && age < backupInterval {
		return false
	}
	b.triedAt = now
	return true
}

// Make checks and copies the index; unchanged: even if the backup is up to date. An index that
// changed gets its keyword index in one part then, as nobody waits. A server makes its own
// backups.
func (b *Backups) Make(ctx context.Context, unchanged bool) error {
	if b.db.OnServer() {
		return nil
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	revision, err := b.db.Revision(ctx)
	if err != nil || !unchanged && revision == b.revision() {
		return err
	}
	if err := b.db.CheckedBackup(ctx, BackupPath(b.path)); err != nil {
		return err
	}
	changed := revision != b.revision()
	b.setRevision(revision)
	if unchanged && changed {
		return b.db.OptimizeWords(ctx)
	}
	return nil
}

// Purge writes the backup again and removes all other copies of the database. An
// older one that was set aside is removed, because it cannot be rewritten.
func (b *Backups) Purge(ctx context.Context) (notices []string, err error) {
	b.writing.Lock()
	defer b.writing.Unlock()
	backup := BackupPath(b.path)
	if _, statErr := os.Stat(backup); statErr == nil {
		revision, err := b.db.Revision(ctx)
		if err == nil {
			err = b.db.Backup(ctx, backup)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s was removed, because it could not be written again: %v", backup, err))
			if err := os.Remove(backup); err != nil {
				return notices, err
			}
			revision = 0
		}
		b.setRevision(revision)
	}
	if err := RemoveTemporary(b.path); err != nil {
		return notices, err
	}
	damaged, err := setAside(b.path)
	if err != nil {
		return notices, err
	}
	for _, file := range damaged {
		if err := os.Remove(file); err != nil {
			return notices, err
		}
		notices = append(notices, file+" was removed: it was an older copy of the index, from which a single text cannot be deleted")
	}
	return notices, nil
}

// AdoptRecent takes an existing backup younger than Every for up to date.
// This saves a full copy at each start.
func (b *Backups) AdoptRecent(ctx context.Context, now time.Time) {
	if info, err := os.Stat(BackupPath(b.path)); err == nil && now.Sub(info.ModTime()) < backupInterval {
		if revision, err := b.db.Revision(ctx); err == nil {
			b.setRevision(revision)
		}
	}
}

// maxBackupAge is the age at which a backup is too old: the service makes one every
// Every, and may have slept a day.
const maxBackupAge = backupInterval + 24*time.Hour

// Problem returns what is wrong with the backup, for a person; empty if nothing is. Only
// the index has the uses and the audit. A new index needs no backup yet.
func (b *Backups) Problem(ctx context.Context, now time.Time, zone *time.Location) (message string, err error) {
	since, err := b.db.FirstSeen(ctx)
	if err != nil || b.db.OnServer() || since.IsZero() || now.Sub(since) < maxBackupAge {
		return "", err
	}
	info, err := os.Stat(BackupPath(b.path))
	switch {
	case errors.Is(err, os.ErrNotExist):
		message = "there is no backup of the index, which alone has the uses and the audit"
	case err != nil:
		return "", err
	case now.Sub(info.ModTime()) > maxBackupAge:
		message = "the last backup of the index is of " + info.ModTime().In(zone).Format("2006-01-02 15:04")
	default:
		return "", nil
	}
	return message, nil
}
