package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory/index"
)

// What the index notes of itself, besides memories.
const (
	metaNotices   = "notices"    // a JSON list of sentences that status shows until the index is rebuilt on purpose
	metaLastIndex = "last_index" // when a look at the disk last found something, RFC 3339
)

// backupPath is where the last backup of a database lies: beside it.
func backupPath(database string) string {
	return filepath.Join(filepath.Dir(database), "tiered.backup.db")
}

// Backup copies every index that changed since its last backup. A database that
// is found damaged takes from it what it cannot save itself.
func (e *Engine) Backup(ctx context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() && !e.o.ReadOnly {
			errs = append(errs, s.backup(ctx))
		}
	}
	return errors.Join(errs...)
}

func (s *workspaceState) backup(ctx context.Context) error {
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
	revision, err := s.db.Revision(ctx)
	if err != nil || revision == s.currentHealth().backupRevision {
		return err
	}
	if err := s.db.Backup(ctx, backupPath(s.DBPath)); err != nil {
		return err
	}
	s.updateHealth(func(h *health) { h.backupRevision = revision })
	return nil
}

// purgeCopies makes the backup anew, and removes what else there is of copies
// that we made: a database that was damaged and set aside cannot be rewritten.
func (s *workspaceState) purgeCopies(ctx context.Context) (notices []string, err error) {
	s.backupMu.Lock()
	defer s.backupMu.Unlock()
	backup := backupPath(s.DBPath)
	if _, there := os.Stat(backup); there == nil {
		revision, err := s.db.Revision(ctx)
		if err == nil {
			err = s.db.Backup(ctx, backup)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s was removed, as it could not be made anew: %v", backup, err))
			if err := os.Remove(backup); err != nil {
				return notices, err
			}
			revision = 0
		}
		s.updateHealth(func(h *health) { h.backupRevision = revision })
	}
	if err := s.removeTempFiles(); err != nil {
		return notices, err
	}
	aside, err := s.listDatabaseFolder(func(name string) bool { return strings.HasPrefix(name, filepath.Base(s.DBPath)+".corrupt-") })
	if err != nil {
		return notices, err
	}
	for _, file := range aside {
		if err := os.Remove(file); err != nil {
			return notices, err
		}
		notices = append(notices, file+" was removed: a damaged index that was set aside, and could not be cleared of the text")
	}
	if d, err := s.openFolder(); err == nil {
		return notices, d.CleanUp(ctx)
	}
	return notices, nil
}

// listDatabaseFolder gives the files in the database's folder whose names are meant.
func (s *workspaceState) listDatabaseFolder(match func(name string) bool) (files []string, err error) {
	listed, err := os.ReadDir(filepath.Dir(s.DBPath))
	for _, f := range listed {
		if match(f.Name()) {
			files = append(files, filepath.Join(filepath.Dir(s.DBPath), f.Name()))
		}
	}
	return files, err
}

// removeTempFiles removes what a crash left of a backup, or of the list of forgotten
// texts, being written.
func (s *workspaceState) removeTempFiles() error {
	left, err := s.listDatabaseFolder(func(name string) bool {
		return strings.HasPrefix(name, "."+filepath.Base(backupPath(s.DBPath))+"-") ||
			strings.HasPrefix(name, "."+strings.TrimSuffix(filepath.Base(s.DBPath), ".db")+".forgotten-")
	})
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// adoptRecentBackup notes the state at which a backup that lies there was made well
// enough: a young one spares copying everything at each start.
func (s *workspaceState) adoptRecentBackup(ctx context.Context, now time.Time, every time.Duration) {
	if info, err := os.Stat(backupPath(s.DBPath)); err == nil && now.Sub(info.ModTime()) < every {
		if revision, err := s.db.Revision(ctx); err == nil {
			s.updateHealth(func(h *health) { h.backupRevision = revision })
		}
	}
}

// PurgeMissing purges the memories whose text has been gone for longer than they are
// kept, in every workspace.
func (e *Engine) PurgeMissing(ctx context.Context) error {
	if e.o.Retention <= 0 || e.o.ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			errs = append(errs, s.db.Update(ctx, e.now(), func(tx *index.Tx) error {
				_, err := tx.Purge(tx.Now.Add(-e.o.Retention))
				return err
			}))
		}
	}
	return errors.Join(errs...)
}

// persistNotices makes what opening found outlive this process: status shows it
// until somebody rebuilds the index on purpose.
func (s *workspaceState) persistNotices(ctx context.Context, now time.Time) error {
	fresh := s.db.Notices()
	if len(fresh) == 0 {
		return nil
	}
	kept, err := s.storedNotices(ctx)
	if err != nil {
		return err
	}
	for _, n := range fresh {
		kept = append(kept, now.Format(time.DateTime)+" UTC: "+n)
	}
	return s.setNotices(ctx, now, kept)
}

func (s *workspaceState) setNotices(ctx context.Context, now time.Time, notices []string) error {
	src, err := json.Marshal(notices)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaNotices, string(src)) })
}

func (s *workspaceState) storedNotices(ctx context.Context) (kept []string, err error) {
	src, err := s.db.Meta(ctx, metaNotices)
	if err != nil || src == "" {
		return nil, err
	}
	return kept, json.Unmarshal([]byte(src), &kept)
}

// Notices are what a person should know of the indexes that were opened: what
// was lost, and when.
func (e *Engine) Notices() []string {
	var all []string
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			all = append(all, s.db.Notices()...)
		}
	}
	return all
}
