package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// Edit replaces the text of a memory in its file, if it is still what the person saw.
func (e *Engine) Edit(ctx context.Context, r memory.EditRequest) (memory.ChangeAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	defer unlock()
	now := e.now()
	if err := s.decisions.FinishIntents(ctx, now, true); err != nil {
		return memory.ChangeAnswer{}, err
	}
	a, err := s.undo.Editor.Run(ctx, now, r)
	if err != nil {
		return a, err
	}
	return a, s.db.Show(ctx, memory.View{}, a.Changed)
}
