package recall

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// How many hits a search lists: where nobody said, and at most.
const (
	DefaultLimit = 10
	MaxLimit     = 1000
)

// dedupePerHit is how many candidates a hit are looked at for near-duplicates:
// those of a hit rank beside it, and comparing all with all costs more than
// finding them.
const dedupePerHit = 4

// SearchOptions is a search.
type SearchOptions struct {
	Text      string
	Lane      memory.Lane // empty: both
	Predicate memory.Predicate
	Limit     int  // 0: DefaultLimit
	Explain   bool // with the factors of each score
}

// Search lists the best memories for a question, however little they have to do
// with it: the reader judges. The answer's time taken, receipt and staleness are
// the caller's to fill in.
func (r *Recaller) Search(ctx context.Context, now time.Time, a SearchOptions) (memory.SearchAnswer, error) {
	if a.Limit == 0 {
		a.Limit = DefaultLimit
	}
	switch {
	case clean(a.Text) == "":
		return memory.SearchAnswer{}, memory.Invalid("query", "the query is empty")
	case a.Limit < 0 || a.Limit > MaxLimit:
		return memory.SearchAnswer{}, memory.Invalid("limit", "limit %d is out of range (1 to %d)", a.Limit, MaxLimit)
	}
	q := r.newQuestion(ctx, now, a.Text, a.Lane)
	event := r.resolveEvent(ctx, now, &q, a.Predicate)
	found, l, err := r.rank(ctx, now, q, a.Predicate, max(candidatesPerLane, 2*a.Limit))
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	forgotten, err := r.countForgottenMatches(ctx, now, q, a, found)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	found, _ = dedupe(found[:min(dedupePerHit*a.Limit, len(found))])
	found = found[:min(a.Limit, len(found))]
	answer := memory.SearchAnswer{Query: q.Text, Hits: r.hits(found, a.Explain), ForgottenMatches: forgotten, Lanes: l.statuses()}
	if a.Explain {
		answer.Event = event
	}
	return answer, nil
}

// countForgottenMatches counts the forgotten memories that would be among the hits
// if the search let them in. They are asked for apart, so that many of them
// never push a visible memory out of a lane.
func (r *Recaller) countForgottenMatches(ctx context.Context, now time.Time, q question, a SearchOptions, visible []*candidate) (int, error) {
	if a.Predicate.Forgotten != memory.Exclude {
		return 0, nil
	}
	p := a.Predicate
	p.Forgotten = memory.Only
	found, _, err := r.rank(ctx, now, q, p, a.Limit)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	all := append(slices.Clone(visible), found...)
	order(all, q, r.set)
	all, _ = dedupe(all[:min(dedupePerHit*a.Limit, len(all))])
	n := 0
	for _, c := range all[:min(a.Limit, len(all))] {
		if c.Forgotten {
			n++
		}
	}
	return n, nil
}
