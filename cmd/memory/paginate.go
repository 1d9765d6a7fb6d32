package main

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// listAll lists more memories than one answer holds, page by page. It returns a
// memory only once, even if it moves to another page meanwhile.
func listAll(ctx context.Context, b api.Reader, r memory.ListRequest) (memory.ListAnswer, error) {
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
