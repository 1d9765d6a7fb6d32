// Package backup keeps a checked copy of a database, which is rewritten and purged when texts
// are destroyed. It also knows when a copy is due and when it is too old.
package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/index"
)

// Every is the time between backups of an index that changes. A backup saves use
// counts and the audit only, which are not worth copying more often.
const Every = 6 * time.Hour

// Copies makes and removes the copies of one database.
type Copies struct {
	db   *index.DB
	path string // of the database

	writing sync.Mutex // held while a backup is written

	stateMu  sync.Mutex
	inBackup int64     // the index revision in the last backup
	triedAt  time.Time // when a backup was last due
}

// New returns the copies of the database at a path.
func New(db *index.DB, path string) *Copies { return &Copies{db: db, path: path} }

// Hold keeps a backup from being written until release. A backup that runs would appear at
// the old place of a database that is moved or replaced.
func (c *Copies) Hold() (release func()) {
	c.writing.Lock()
	return c.writing.Unlock
}

func (c *Copies) revision() int64 {
	c.stateMu.Lock()
	defer c.stateMu.Unlock()
	return c.inBackup
}

func (c *Copies) setRevision(revision int64) {
	c.stateMu.Lock()
	defer c.stateMu.Unlock()
	c.inBackup = revision
}

// IsDue reports whether the last attempt of a backup is Every old, or in
// the future because the clock went back. The file has the time of one before the
// start.
func (c *Copies) IsDue(now time.Time) bool {
	c.stateMu.Lock()
	defer c.stateMu.Unlock()
	last := c.triedAt
	if info, err := os.Stat(statefolder.BackupPath(c.path)); last.IsZero() && err == nil {
		last = info.ModTime()
	}
	if age := now.Sub(last); age >= 0 && age < Every {
		return false
	}
	c.triedAt = now
	return true
}

// Make checks and copies the index; unchanged: even if the backup is up to date.
func (c *Copies) Make(ctx context.Context, unchanged bool) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	revision, err := c.db.Revision(ctx)
	if err != nil || !unchanged && revision == c.revision() {
		return err
	}
	if err := c.db.CheckedBackup(ctx, statefolder.BackupPath(c.path)); err != nil {
		return err
	}
	c.setRevision(revision)
	return nil
}

// Purge writes the backup again and removes all other copies of the database. A damaged
// one that was set aside is removed, because it cannot be rewritten.
func (c *Copies) Purge(ctx context.Context) (notices []string, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	backup := statefolder.BackupPath(c.path)
	if _, statErr := os.Stat(backup); statErr == nil {
		revision, err := c.db.Revision(ctx)
		if err == nil {
			err = c.db.Backup(ctx, backup)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s was removed, because it could not be written again: %v", backup, err))
			if err := os.Remove(backup); err != nil {
				return notices, err
			}
			revision = 0
		}
		c.setRevision(revision)
	}
	if err := statefolder.RemoveTemporary(c.path); err != nil {
		return notices, err
	}
	damaged, err := statefolder.SetAside(c.path)
	if err != nil {
		return notices, err
	}
	for _, file := range damaged {
		if err := os.Remove(file); err != nil {
			return notices, err
		}
		notices = append(notices, file+" was removed: it was a damaged index, from which a single text cannot be deleted")
	}
	return notices, nil
}

// AdoptRecent takes an existing backup younger than Every for up to date.
// This saves a full copy at each start.
func (c *Copies) AdoptRecent(ctx context.Context, now time.Time) {
	if info, err := os.Stat(statefolder.BackupPath(c.path)); err == nil && now.Sub(info.ModTime()) < Every {
		if revision, err := c.db.Revision(ctx); err == nil {
			c.setRevision(revision)
		}
	}
}

// maxBackupAge is the age at which a backup is too old: the service makes one every
// Every, and may have slept a day.
const maxBackupAge = Every + 24*time.Hour

// Problem returns what is wrong with the backup, for a person; empty if nothing is. Only
// the index has the uses and the audit. A new index needs no backup yet.
func (c *Copies) Problem(ctx context.Context, now time.Time, zone *time.Location) (message string, err error) {
	since, err := c.db.FirstSeen(ctx)
	if err != nil || since.IsZero() || now.Sub(since) < maxBackupAge {
		return "", err
	}
	info, err := os.Stat(statefolder.BackupPath(c.path))
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
