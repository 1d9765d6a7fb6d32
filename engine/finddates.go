package engine

import (
	"context"
	"errors"
	"time"
)

// FindDates searches git for the commits that introduced the memories without a
// date, in every workspace and for about so long at most. It reads one file at a
// time, the newest first, and each memory once. more reports that memories are left.
func (e *Engine) FindDates(ctx context.Context, within time.Duration) (more bool, err error) {
	deadline := time.Now().Add(within)
	for _, s := range e.sortedWorkspaces() {
		left, findErr := s.findDates(ctx, e.now, deadline)
		more, err = more || left, errors.Join(err, findErr)
	}
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
	usable := s.openErr == nil && !s.isDiskFull()
	if !usable {
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
