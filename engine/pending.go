package engine

import (
	"context"
	"errors"
	"time"
)

// WritePending writes the pending decisions of every workspace whose files can be
// written now, and returns how many it wrote. A running service calls it often.
func (e *Engine) WritePending(ctx context.Context) (written int, err error) {
	if e.options().ReadOnly {
		return 0, nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || s.Options.ReadOnly {
			continue
		}
		n, err := s.writePendingAlone(ctx, e.now())
		written, errs = written+n, append(errs, err)
	}
	return written, errors.Join(errs...)
}

// writePendingAlone writes the pending decisions while no ingest runs. It waits for none
// if nothing is pending.
func (s *workspaceState) writePendingAlone(ctx context.Context, now time.Time) (written int, err error) {
	if ids, err := s.db.PendingDecisions(ctx); err != nil || len(ids) == 0 {
		return 0, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return s.decisions.WritePendingUnlessBusy(ctx, now)
}
