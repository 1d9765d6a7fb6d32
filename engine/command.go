package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
)

// command runs a command that changes a workspace, while no other command and no ingest does.
// First it finishes what an interrupted command left.
func (e *Engine) command(ctx context.Context, workspace string, run func(s *workspaceState, now time.Time) error) error {
	s, err := e.writable(workspace, false)
	if err != nil {
		return err
	}
	return s.inTurn(ctx, func() error {
		now := e.now()
		if err := s.plans.FinishIntents(ctx, now, true); err != nil {
			return err
		}
		return run(s, now)
	})
}

// writable returns a workspace whose index can be written. A preview only reads it.
func (e *Engine) writable(workspace string, preview bool) (*workspaceState, error) {
	s, err := e.lookup(workspace)
	if err == nil && !preview {
		err = e.refuseWhenReadOnly()
	}
	return s, err
}

func (e *Engine) refuseWhenReadOnly() error {
	if !e.options().ReadOnly {
		return nil
	}
	return memory.Unavailable(nil, "another memory command is writing to this index").
		WithHint("try again in a moment, or keep the service running: memory serve")
}

// refuseReadOnlyFiles returns an error for a command that would write into the files of a
// read-only workspace.
func (s *workspaceState) refuseReadOnlyFiles() error {
	if !s.Options.ReadOnly {
		return nil
	}
	err := plan.ReadOnlyError(s.Name, memory.ErrForbidden)
	if s.isOfTeam() {
		err.Hint = fmt.Sprintf("memory store --team -w %s TEXT proposes it to the team", s.Name)
	}
	return err
}

// lockIngest waits for a running ingest to end, then holds off others until unlock.
func (s *workspaceState) lockIngest(ctx context.Context) (unlock func(), err error) {
	if s.unwritable != nil {
		return nil, s.unwritable
	}
	return s.turns.Take(ctx)
}

// inTurn runs a function while no other command and no ingest changes the workspace.
func (s *workspaceState) inTurn(ctx context.Context, run func() error) error {
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return run()
}
