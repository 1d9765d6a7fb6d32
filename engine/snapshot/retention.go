package snapshot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

// Causes of snapshots. All others begin with "before ".
const (
	byHand = "by hand"
	daily  = "daily"
)

// What is kept of the daily ones is the newest of the last days and weeks that have one. So
// an idle month or a wrong clock removes none. Those of a person stay.
const (
	keptDays   = 7
	keptWeeks  = 4
	keptBefore = 10 // of those before commands
)

// prune removes the snapshots that are too many, but not the one that was just made, and what
// a crash left. What cannot be removed now goes after the next one.
func (s *Store) prune(made string) {
	_ = s.removeTemporary()
	all, _ := s.List()
	for _, old := range s.tooMany(all) {
		if old.ID != made {
			_ = os.Remove(s.path(old.ID))
		}
	}
}

// tooMany returns those of the snapshots, newest first, that are not kept.
func (s *Store) tooMany(all []memory.Snapshot) (old []memory.Snapshot) {
	days, weeks, before := map[string]bool{}, map[string]bool{}, 0
	for _, each := range all {
		isKept := true
		switch {
		case each.Damaged != "" || each.Cause == byHand:
		case each.Cause == daily:
			at := each.CreatedAt.In(s.Zone)
			year, week := at.ISOWeek()
			isOfDay := isNew(days, at.Format(time.DateOnly), keptDays)
			isOfWeek := isNew(weeks, fmt.Sprint(year, " ", week), keptWeeks)
			isKept = isOfDay || isOfWeek
		default:
			before++
			isKept = before <= keptBefore
		}
		if !isKept {
			old = append(old, each)
		}
	}
	return old
}

// isNew adds a name to a set of at most so many, and reports whether it was added.
func isNew(names map[string]bool, name string, most int) bool {
	if names[name] || len(names) == most {
		return false
	}
	names[name] = true
	return true
}

// removeTemporary removes what a crash left of a snapshot that was written.
func (s *Store) removeTemporary() error {
	left, err := filepath.Glob(filepath.Join(s.Dir, ".*"+extension+".memory-*"))
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return memory.Unavailable(err, "remove %s", path)
		}
	}
	return err
}

// retryAfter is the time until a daily snapshot that failed is tried again.
const retryAfter = time.Hour

// Daily makes the snapshot of a day, once a day if anything has changed. The answer has it.
func (s *Store) Daily(ctx context.Context, now time.Time) (a memory.SnapshotAnswer, err error) {
	days, err := decay.ParseSchedule("@daily")
	if err != nil {
		return a, err
	}
	isDue, err := s.isDue(ctx, now, days)
	if !isDue || err != nil {
		return a, err
	}
	made, err := s.Create(ctx, now, daily, "")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lookAt = days.Next(now, s.Zone); err != nil {
		s.lookAt = now.Add(retryAfter)
		return a, err
	}
	a.Snapshots = memory.List[memory.Snapshot]{made}
	return a, nil
}

// isDue reports whether the last daily snapshot is of an earlier day, and the index has
// changed since. One of the future counts too: the clock went back.
func (s *Store) isDue(ctx context.Context, now time.Time, days decay.Schedule) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.lookAt) && s.lookAt.Sub(now) <= 25*time.Hour {
		return false, nil
	}
	all, err := s.List()
	if err != nil {
		return false, err
	}
	s.lookAt = days.Next(now, s.Zone)
	for _, each := range all {
		if each.Cause != daily {
			continue
		}
		if next := days.Next(each.CreatedAt, s.Zone); now.Before(next) && !now.Before(each.CreatedAt) {
			s.lookAt = next
			return false, nil
		}
		known, err := readAbout(s.path(each.ID))
		if err != nil {
			return true, nil
		}
		revision, err := s.DB.Revision(ctx)
		return revision != known.Revision, err
	}
	return true, nil
}
