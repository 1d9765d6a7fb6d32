package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/grading"
)

// Grade gives an importance to the visible memories that have none, by the rules of
// package grade. It writes the index alone.
func (e *Engine) Grade(ctx context.Context, r memory.GradeRequest) (memory.GradeAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err == nil {
		err = grading.Validate(&r)
	}
	if err != nil {
		return memory.GradeAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.GradeAnswer{}, err
	}
	defer unlock()
	return grading.Run(ctx, s.db, e.now(), r, maxAnswer)
}
