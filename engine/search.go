package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/together"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// Search returns the memories that match a query, best first, or passages of documents. The
// receipt is kept with the workspace of the request.
func (e *Engine) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	start := time.Now()
	s, err := e.lookupAnswering(r.Workspace, r.Folder)
	keeper, all := s, (*together.Source)(nil)
	docs := r.Docs || err == nil && s.Options.Documents
	if docs {
		if all = e.documents(r.Workspace, false); all == nil {
			return memory.SearchAnswer{}, together.NoDocuments()
		}
		if s, err = e.lookup(all.First()); keeper == nil {
			keeper = s
		}
	}
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	if !docs {
		all = e.together(s, memory.RecallRequest{Workspace: r.Workspace, Folder: r.Folder})
	}
	at, past, err := lookup.AsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	if past && r.Record {
		return memory.SearchAnswer{}, memory.Invalid("as_of", "a search with as_of cannot be recorded").
			WithHint("leave out either as_of or record")
	}
	r.Scope = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	p, err := lookup.PredicateOf(r.Filter, e.now(), s.Zone, e.options().Identities)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, searchAudience(r))
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	who.Now = at
	if past {
		p.AsOf = at
	}
	p = lookup.Restrict(p, who)
	if r.Forgotten {
		p.Forgotten = memory.Include
	}
	if r.ForModel() && r.Forgotten {
		return memory.SearchAnswer{}, commands.ForgottenForModel()
	}
	limit, err := lookup.Limit(r.Limit, recall.DefaultLimit, recall.MaxLimit)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	indexing := s.indexingNow(ctx)
	if !r.ForModel() {
		e.flush(ctx, s)
	}
	if p, err = lookup.About(ctx, p, r.Filter, all.Names(s.db)...); err != nil {
		return memory.SearchAnswer{}, err
	}
	var answer memory.SearchAnswer
	options := recall.SearchOptions{Text: r.Query, Lane: r.Lane, Predicate: p, Limit: limit, Explain: r.Explain}
	if err := s.models.WithModel(ctx, func(r *recall.Recaller) (err error) {
		answer, err = all.Ask(r).Search(ctx, at, options)
		return err
	}); err != nil {
		return memory.SearchAnswer{}, err
	}
	if !r.Ranked {
		answer.Hits = recall.Listing(answer.Hits, r.ForModel())
	}
	if answer.LeftOutByDate, err = s.db.LeftOutByDate(ctx, p); err != nil {
		return memory.SearchAnswer{}, err
	}
	answer.Stale, answer.Indexing = e.options().ReadOnly, indexing
	if len(answer.Hits) == 0 {
		answer.Notices = workspace.NotIndexed(s.Dir, s.coverage(ctx))
	}
	answer.TookMS = millisecondsSince(start)
	if r.Record && !e.options().ReadOnly {
		answer.Receipt = uuid.NewString()
		keeper.uses.KeepPrompt(answer.Receipt, r.Query)
		e.offerUses(keeper, all, answer.Receipt, r.Session, who.Users, answer.Hits, index.UseRequested, e.options().Receipts.IfKept(func() memory.Receipt { return receipts.OfSearch(r, at, answer, limit) }))
	}
	return answer, nil
}

// searchAudience returns who reads the answer to a search.
func searchAudience(r memory.SearchRequest) memory.Audience {
	if r.ForModel() {
		return memory.AudienceModel
	}
	return memory.AudiencePerson
}
