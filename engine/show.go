package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Show returns the memory with this id, or with this unique prefix of an id, and its
// other versions.
func (e *Engine) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	_, s, err := e.holding(ctx, r.Workspace, r.ID)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	e.flush(ctx, s)
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if err == nil && who.Model {
		err = e.refuseHidden(ctx, who, m, s)
	}
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	a := memory.ShowAnswer{Memory: m}
	if a.CreatedFrom, a.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return a, err
	}
	older, newer, err := s.db.Versions(ctx, m.ID)
	if err != nil {
		return a, err
	}
	if a.Supersedes, err = lookup.Versions(ctx, s.db, who, older); err != nil || who.Model {
		return a, err
	}
	a.Successors, err = lookup.Versions(ctx, s.db, who, newer)
	return a, err
}
