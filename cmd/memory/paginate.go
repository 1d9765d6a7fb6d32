package main

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// mostPerPage is the most memories that one request asks for. On a busy machine, a larger
// page may take longer than a client waits.
const mostPerPage = 2500

// listAll lists any number of memories, page by page. It returns a memory only once,
// even if it moves to another page meanwhile.
func listAll(ctx context.Context, b api.Reader, r memory.ListRequest) (memory.ListAnswer, error) {
	wanted := 0 // no limit
	if r.Limit != nil {
		wanted = *r.Limit
	}
	pageLimit := func(listed int) *int {
		n := mostPerPage
		if wanted != 0 {
			n = min(n, wanted-listed)
		}
		return &n
	}
	r.Limit = pageLimit(0)
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
		r.Limit = pageLimit(len(all.Memories))
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
