package lookup

import (
	"context"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Other is an index beside the one that is asked.
type Other struct {
	*index.DB
	OnlyCopies bool // the first index hides only copies of its hidden texts there
}

// Shown returns some memories as they are now and as a view shows them, by their ids. Those
// that the first index does not have may be in the others. What the first one hides is in none.
func Shown(ctx context.Context, who memory.View, ids []memory.ID, first *index.DB, others []Other) (map[memory.ID]memory.Memory, error) {
	known, err := shown(ctx, first, who, ids)
	if err != nil {
		return nil, err
	}
	hidden, err := first.Hidden(ctx, who)
	for _, other := range others {
		missing := slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool { _, ok := known[id]; return ok })
		if err != nil || len(missing) == 0 {
			break
		}
		var more map[memory.ID]memory.Memory
		more, err = shown(ctx, other.DB, who, missing)
		for id, m := range more {
			if !hidden.HidesMemory(m, other.OnlyCopies) {
				hidden.Memory(&m)
				known[id] = m
			}
		}
	}
	return known, err
}

// shown returns the memories of one index, without those that a view does not show, and
// without the uses by others.
func shown(ctx context.Context, db *index.DB, who memory.View, ids []memory.ID) (map[memory.ID]memory.Memory, error) {
	known, err := Current(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	memories := slices.Collect(maps.Values(known))
	visible, err := ShownIDs(ctx, db, who, memories)
	if err != nil {
		return nil, err
	}
	err = db.Show(ctx, who, memories)
	clear(known)
	for _, m := range memories {
		if visible[m.ID] {
			known[m.ID] = m
		}
	}
	return known, err
}
