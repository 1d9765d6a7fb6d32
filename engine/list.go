package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/derive"
	"github.com/memory-tiered/memory/engine/lookup"
)

// List lists memories without a query, with the number of them in each tier.
func (e *Engine) List(ctx context.Context, r memory.ListRequest) (answer memory.ListAnswer, err error) {
	s, p, limit, err := e.listed(ctx, r)
	if err == nil {
		p, err = lookup.About(ctx, p, r.Filter, s.db)
	}
	if err != nil {
		return answer, err
	}
	answer = memory.ListAnswer{Stale: e.options().ReadOnly, Indexing: s.indexingNow(ctx)}
	answer.Memories, answer.Total, err = s.db.List(ctx, p, r.Sort, limit, r.Offset)
	if err == nil {
		answer.Tiers, err = s.db.Tiers(ctx, p)
	}
	if err == nil {
		err = lookup.AddDoubts(ctx, s.db, answer.Memories)
	}
	if err == nil {
		answer.LeftOutByDate, err = s.db.LeftOutByDate(ctx, p)
	}
	return answer, err
}

// listing returns which memories an answer is derived from.
func (e *Engine) listing(ctx context.Context, r memory.ListRequest) (l derive.Listing, err error) {
	s, p, limit, err := e.listed(ctx, r)
	if err == nil {
		l = derive.Listing{DB: s.db, Predicate: p, Limit: limit, Stale: e.options().ReadOnly}
	}
	return l, err
}

// listed returns which memories of a workspace a list is about.
func (e *Engine) listed(ctx context.Context, r memory.ListRequest) (s *workspaceState, p memory.Predicate, limit int, err error) {
	s, who, err := e.ask(r.Workspace, r.Sender, r.For)
	if err != nil {
		return s, p, 0, err
	}
	at, past, err := lookup.AsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return s, p, 0, err
	}
	r.Scope, who.Now = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender), at
	p, err = lookup.ListPredicateOf(r, e.now(), s.Zone, e.options().Identities)
	if err == nil && who.Model && (r.Forgotten || r.Missing) {
		err = commands.ForgottenForModel()
	}
	if past {
		p.AsOf = at
	}
	if err == nil {
		limit, err = lookup.Limit(r.Limit, lookup.MaxAnswer, lookup.MaxAnswer)
	}
	e.flush(ctx, s)
	return s, lookup.Restrict(p, who), limit, err
}
