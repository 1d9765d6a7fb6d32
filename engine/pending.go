package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
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

// readOnlyError is the error, of some kind, for writing to a workspace that the
// configuration marks as read-only.
func (s *workspaceState) readOnlyError(kind error) error {
	return &memory.Error{Kind: kind, Message: fmt.Sprintf("the workspace %s is read-only; nothing was changed", s.Name),
		Hint: fmt.Sprintf("the setting workspaces.%s.readOnly makes it so; memory config set workspaces.%s.readOnly false allows to write", s.Name, s.Name)}
}
