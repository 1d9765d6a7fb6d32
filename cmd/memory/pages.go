package main

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// everyMemory lists memories beyond what one answer holds, a page after the
// other. One that moves between pages while they are read is listed once.
func everyMemory(ctx context.Context, b api.Backend, r memory.ListRequest) (memory.ListAnswer, error) {
	wanted := 0 // no limit
	if r.Limit != nil {
		wanted = *r.Limit
	}
	all, err := b.List(ctx, r)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	seen := map[memory.ID]bool{}
	for _, m := range all.Memories {
		seen[m.ID] = true
	}
	for page := len(all.Memories); page > 0 && (wanted == 0 || len(all.Memories) < wanted) && r.Offset+page < all.Total; {
		r.Offset += page
		if wanted > 0 {
			left := wanted - len(all.Memories)
			r.Limit = &left
		}
		next, err := b.List(ctx, r)
		if err != nil {
			return memory.ListAnswer{}, err
		}
		for _, m := range next.Memories {
			if !seen[m.ID] {
				seen[m.ID] = true
				all.Memories = append(all.Memories, m)
			}
		}
		page = len(next.Memories)
		all.Total, all.Tiers, all.Stale = next.Total, next.Tiers, all.Stale || next.Stale
	}
	return all, nil
}
