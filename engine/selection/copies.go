package selection

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// OthersHaveCopies reports whether a memory that the view does not show has one of the
// texts. A decision for one user never changes what another user has.
func (s Selector) OthersHaveCopies(ctx context.Context, who memory.View, ids []memory.ID) (bool, error) {
	if who.Users == nil {
		return false, nil
	}
	declarations, err := plan.DeclarationsOfCopies(ctx, s.DB, ids)
	return slices.ContainsFunc(declarations, func(d index.Declarations) bool { return !who.Reads(d.Memory.User) }), err
}

// AddOwnCopies adds the copies of some memories that the view shows, and whose state
// the action changes. A user's decision covers these copies alone: another user may keep
// the same text, or write it later.
func (s Selector) AddOwnCopies(ctx context.Context, who memory.View, action memory.Action, ids []memory.ID) ([]memory.ID, error) {
	declarations, err := plan.DeclarationsOfCopies(ctx, s.DB, ids)
	all := slices.Clone(ids)
	for _, d := range declarations {
		isChanged := d.InDoubt || d.Memory.Forgotten == (action == memory.ActionRestore)
		if isChanged && who.Reads(d.Memory.User) && !slices.Contains(all, d.Memory.ID) {
			all = append(all, d.Memory.ID)
		}
	}
	return all, err
}
