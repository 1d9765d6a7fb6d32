package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory/index"
)

// Load loads a workspace's in-memory index, so that later queries are fast. Queries
// are answered meanwhile. It does nothing if the index is loaded or is turned off.
func (e *Engine) Load(ctx context.Context, workspace string) error {
	s, err := e.lookup(workspace)
	if err != nil {
		return err
	}
	return s.db.Load(ctx)
}

// PurgeMissing deletes the memories, in every workspace, whose text has been
// missing for longer than the retention time.
func (e *Engine) PurgeMissing(ctx context.Context) error {
	if e.options.Retention <= 0 || e.options.ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			errs = append(errs, s.db.Update(ctx, e.now(), func(tx *index.Tx) error {
				_, err := tx.Purge(tx.Now.Add(-e.options.Retention))
				return err
			}))
		}
	}
	return errors.Join(errs...)
}
