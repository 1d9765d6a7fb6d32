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

// backupOf is where the last backup of a database lies: beside it.
func backupOf(database string) string {
	return filepath.Join(filepath.Dir(database), "tiered.backup.db")
}

// Backup copies every index that changed since its last backup. A database that
// is found damaged takes from it what it cannot save itself.
func (e *Engine) Backup(ctx context.Context) error {
	var errs []error
	for _, s := range e.all() {
		if s.failed == nil && !s.isFrozen() && !e.o.ReadOnly {
			errs = append(errs, s.backup(ctx))
		}
	}
	return errors.Join(errs...)
}

func (s *space) backup(ctx context.Context) error {
	s.copying.Lock()
	defer s.copying.Unlock()
	revision, err := s.db.Revision(ctx)
	if err != nil || revision == s.look().backedUp {
		return err
	}
	if err := s.db.Backup(ctx, backupOf(s.DBPath)); err != nil {
		return err
	}
	s.note(func(h *health) { h.backedUp = revision })
	return nil
}

// clearCopies makes the backup anew, and removes what else there is of copies
// that we made: a database that was damaged and set aside cannot be rewritten.
func (s *space) clearCopies(ctx context.Context) (notices []string, err error) {
	s.copying.Lock()
	defer s.copying.Unlock()
	backup := backupOf(s.DBPath)
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
		s.note(func(h *health) { h.backedUp = revision })
	}
	if err := s.removeTemps(); err != nil {
		return notices, err
	}
	aside, err := s.beside(func(name string) bool { return strings.HasPrefix(name, filepath.Base(s.DBPath)+".corrupt-") })
	if err != nil {
		return notices, err
	}
	for _, file := range aside {
		if err := os.Remove(file); err != nil {
			return notices, err
		}
		notices = append(notices, file+" was removed: a damaged index that was set aside, and could not be cleared of the text")
	}
	if d, err := s.onDisk(); err == nil {
		return notices, d.CleanUp(ctx)
	}
	return notices, nil
}

// beside gives the files in the database's folder whose names are meant.
func (s *space) beside(meant func(name string) bool) (files []string, err error) {
	listed, err := os.ReadDir(filepath.Dir(s.DBPath))
	for _, f := range listed {
		if meant(f.Name()) {
			files = append(files, filepath.Join(filepath.Dir(s.DBPath), f.Name()))
		}
	}
	return files, err
}

// removeTemps removes what a crash left of a backup, or of the list of forgotten
// texts, being written.
func (s *space) removeTemps() error {
	left, err := s.beside(func(name string) bool {
		return strings.HasPrefix(name, "."+filepath.Base(backupOf(s.DBPath))+"-") ||
			strings.HasPrefix(name, "."+strings.TrimSuffix(filepath.Base(s.DBPath), ".db")+".forgotten-")
	})
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// firstBackup notes the state at which a backup that lies there was made well
// enough: a young one spares copying everything at each start.
func (s *space) firstBackup(ctx context.Context, now time.Time, every time.Duration) {
	if info, err := os.Stat(backupOf(s.DBPath)); err == nil && now.Sub(info.ModTime()) < every {
		if revision, err := s.db.Revision(ctx); err == nil {
			s.note(func(h *health) { h.backedUp = revision })
		}
	}
}

// Tidy purges the memories whose text has been gone for longer than they are
// kept, in every workspace.
func (e *Engine) Tidy(ctx context.Context) error {
	if e.o.Retention <= 0 || e.o.ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.all() {
		if s.failed == nil && !s.isFrozen() {
			errs = append(errs, s.db.Update(ctx, e.now(), func(tx *index.Tx) error {
				_, err := tx.Purge(tx.Now.Add(-e.o.Retention))
				return err
			}))
		}
	}
	return errors.Join(errs...)
}

// keepNotices makes what opening found outlive this process: status shows it
// until somebody rebuilds the index on purpose.
func (s *space) keepNotices(ctx context.Context, now time.Time) error {
	fresh := s.db.Notices()
	if len(fresh) == 0 {
		return nil
	}
	kept, err := s.notices(ctx)
	if err != nil {
		return err
	}
	for _, n := range fresh {
		kept = append(kept, now.Format(time.DateTime)+" UTC: "+n)
	}
	return s.setNotices(ctx, now, kept)
}

func (s *space) setNotices(ctx context.Context, now time.Time, notices []string) error {
	src, err := json.Marshal(notices)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaNotices, string(src)) })
}

func (s *space) notices(ctx context.Context) (kept []string, err error) {
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
	for _, s := range e.all() {
		if s.failed == nil {
			all = append(all, s.db.Notices()...)
		}
	}
	return all
}
