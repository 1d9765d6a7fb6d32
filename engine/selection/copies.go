package selection

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// OthersHaveCopies reports whether a memory that the reader may not see has one of the
// texts. A decision for one user never changes what another user has.
func (s Selector) OthersHaveCopies(ctx context.Context, who audience.Reader, ids []memory.ID) (bool, error) {
	if who.Users == nil {
		return false, nil
	}
	declarations, err := plan.DeclarationsOfCopies(ctx, s.Memories.DB, ids)
	return slices.ContainsFunc(declarations, func(d index.Declarations) bool { return !who.MayRead(d.Memory) }), err
}

// AddOwnCopies adds the copies of some memories that the reader may see, and whose state
// the action changes. A user's decision covers these copies alone: another user may keep
// the same text, or write it later.
func (s Selector) AddOwnCopies(ctx context.Context, who audience.Reader, action memory.Action, ids []memory.ID) ([]memory.ID, error) {
	declarations, err := plan.DeclarationsOfCopies(ctx, s.Memories.DB, ids)
	all := slices.Clone(ids)
	for _, d := range declarations {
		isChanged := d.InDoubt || d.Memory.Forgotten == (action == memory.ActionRestore)
		if isChanged && who.MayRead(d.Memory) && !slices.Contains(all, d.Memory.ID) {
			all = append(all, d.Memory.ID)
		}
	}
	return all, err
}
