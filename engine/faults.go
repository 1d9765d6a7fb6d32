package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// A fault quotes what is wrong in a file, and that may be a forgotten text.

// faults lists the faults of all files, and what an unfinished destroy left in them. They
// repeat no forgotten text.
func (s *workspaceState) faults(ctx context.Context) (all []memory.Fault, err error) {
	if all, err = s.db.Faults(ctx); err != nil {
		return nil, err
	}
	left, err := s.destroys.Faults(ctx)
	if err != nil {
		return nil, err
	}
	hidden, err := s.db.Hidden(ctx, memory.View{})
	all = append(all, left...)
	for i := range all {
		all[i].Message = hidden.Message(all[i].Message)
	}
	return all, err
}
