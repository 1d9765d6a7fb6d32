package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// sortKeys lists the orders of a list; the first is the default.
var sortKeys = []string{"created_at", "last_accessed_at", "use_count", "path"}

// List lists memories without a query, with the number of them in each tier.
func (e *Engine) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	p, err := listPredicate(r, s, e.now())
	if err != nil {
		return memory.ListAnswer{}, err
	}
	at, past, err := resolveAsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	if past {
		p.AsOf = at
	}
	if r.For == memory.AudienceModel {
		if r.Forgotten || r.Missing {
			return memory.ListAnswer{}, forgottenForModel()
		}
		p = recall.Injectable(p, at)
	}
	limit, err := resolveLimit(r.Limit, maxAnswer, maxAnswer)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	pending := s.uses.pending()
	memories, total, err := s.db.List(ctx, p, r.Sort, limit, r.Offset)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	tiers, err := s.db.Tiers(ctx, p)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	leftOut, err := s.leftOutByDate(ctx, p, at)
	return memory.ListAnswer{Memories: pending.addTo(memories), Total: total, Tiers: tiers, LeftOutByDate: leftOut, Stale: e.options.ReadOnly}, err
}

func listPredicate(r memory.ListRequest, s *workspaceState, now time.Time) (memory.Predicate, error) {
	if r.Sort != "" && !slices.Contains(sortKeys, r.Sort) {
		return memory.Predicate{}, memory.Invalid("sort", "memories cannot be sorted by %q", r.Sort).
			WithHint("one of: %s", strings.Join(sortKeys, ", "))
	}
	if r.Offset < 0 {
		return memory.Predicate{}, memory.Invalid("offset", "the offset %d is negative", r.Offset)
	}
	p, err := resolveFilter(r.Filter, now, s.Zone)
	p.Archive = true // without a filter, a list has every visible memory
	p.Pinned = r.Pinned
	if r.Forgotten {
		p.Forgotten = memory.Only
	}
	if r.Missing {
		p.Missing, p.Forgotten = memory.Only, memory.Include
	}
	return p, err
}
