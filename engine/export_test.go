package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Between lets a test stop destroyings after a step, as a crash would.
func (e *Engine) Between(stop func(step string) error) {
	for _, s := range e.sortedWorkspaces() {
		s.afterStep = stop
	}
}

// Supersede says that another memory took this one's place.
func (e *Engine) Supersede(ctx context.Context, id, by memory.ID) error {
	s, err := e.lookup("")
	if err != nil {
		return err
	}
	return s.db.Update(ctx, e.now(), func(tx *index.Tx) error { return tx.Supersede(id, by) })
}
