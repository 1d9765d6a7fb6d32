package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

// sortKeys lists the orders of a list; the first is the default.
var sortKeys = []string{"created_at", "last_accessed_at", "use_count", "path"}

// List lists memories without a query, with the number of them in each tier.
func (e *Engine) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	r.Scope = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	p, err := e.listPredicate(r, s, e.now())
	if err != nil {
		return memory.ListAnswer{}, err
	}
	at, past, err := lookup.AsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	if past {
		p.AsOf = at
	}
	if r.For == memory.AudienceModel && (r.Forgotten || r.Missing) {
		return memory.ListAnswer{}, forgottenForModel()
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	who.Now = at
	p = lookup.Restrict(p, who)
	limit, err := resolveLimit(r.Limit, maxAnswer, maxAnswer)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	e.flush(ctx, s)
	answer := memory.ListAnswer{Stale: e.options().ReadOnly, Indexing: s.indexingNow(ctx)}
	if answer.Memories, answer.Total, err = s.db.List(ctx, p, r.Sort, limit, r.Offset); err != nil {
		return memory.ListAnswer{}, err
	}
	if answer.Tiers, err = s.db.Tiers(ctx, p); err != nil {
		return memory.ListAnswer{}, err
	}
	if err := lookup.AddDoubts(ctx, s.db, answer.Memories); err != nil {
		return memory.ListAnswer{}, err
	}
	answer.LeftOutByDate, err = s.db.LeftOutByDate(ctx, p)
	return answer, err
}

func (e *Engine) listPredicate(r memory.ListRequest, s *workspaceState, now time.Time) (memory.Predicate, error) {
	if r.Sort != "" && !slices.Contains(sortKeys, r.Sort) {
		return memory.Predicate{}, memory.Invalid("sort", "memories cannot be sorted by %q", r.Sort).
			WithHint("one of: %s", strings.Join(sortKeys, ", "))
	}
	if r.Offset < 0 {
		return memory.Predicate{}, memory.Invalid("offset", "the offset %d is negative", r.Offset)
	}
	p, err := lookup.PredicateOf(r.Filter, now, s.Zone, e.options().Identities)
	p.Archive = true // without a filter, a list has every visible memory
	p.Pinned = r.Pinned
	p.TextOnly = !r.Properties && !r.Pinned && !r.Forgotten && !r.Missing
	if r.Forgotten {
		p.Forgotten = memory.Only
	}
	if r.Missing {
		p.Missing = memory.Only
	}
	return p, err
}
