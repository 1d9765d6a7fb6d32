package recall

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// The number of hits of a search: by default, and at most.
const (
	DefaultLimit = 10
	MaxLimit     = 1000
)

// dedupePerHit is the number of candidates per hit that are compared for
// near-duplicates. Those of a hit rank close to it, and comparing all candidates
// would cost more than the search.
const dedupePerHit = 4

// SearchOptions holds the query of a search and its limits.
type SearchOptions struct {
	Text      string
	Lane      memory.Lane      // empty: both
	Predicate memory.Predicate // for a model, relevant trusted memories come first
	Limit     int              // 0: DefaultLimit
	Explain   bool             // return the factors of each score
}

// Search lists the best memories for a question, without a floor: the reader judges
// them. The caller fills in the answer's time taken, receipt and staleness.
func (r *Recaller) Search(ctx context.Context, now time.Time, o SearchOptions) (memory.SearchAnswer, error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	switch {
	case lang.Clean(o.Text) == "":
		return memory.SearchAnswer{}, memory.Invalid("query", "the query is empty")
	case o.Limit < 0 || o.Limit > MaxLimit:
		return memory.SearchAnswer{}, memory.Invalid("limit", "limit %d is out of range (1 to %d)", o.Limit, MaxLimit)
	}
	q := r.newQuery(ctx, now, o.Text, o.Lane, o.Predicate)
	found, l, err := r.rank(ctx, now, q, o.Predicate, max(candidatesPerLane, 2*o.Limit))
	defer l.release()
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	forgotten, err := r.countForgottenMatches(ctx, now, q, o, found)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	if o.Predicate.Model {
		found = new(Trace).preferTrusted(found)
		r.putRelevantFirst(found)
	}
	found = r.dedupe(found[:min(dedupePerHit*o.Limit, len(found))], q.intent, new(Trace))
	competed := found
	found = found[:min(o.Limit, len(found))]
	// A model asked: the floor is enough, as for a memory that is injected.
	markEarned(competed, found, func(c *candidate) float64 { return r.set.FloorFor(c.Memory) })
	return memory.SearchAnswer{Query: q.Text, Hits: r.hits(found, o.Explain), ForgottenMatches: forgotten, Lanes: l.statuses()}, nil
}

// putRelevantFirst puts untrusted memories before those trusted ones that hardly have to do with
// the query, which would else take all places. A model that searches needs half of the similarity
// of an injected memory.
func (r *Recaller) putRelevantFirst(found []*candidate) {
	isRelevant := func(c *candidate) bool { return 2*c.similarity >= r.set.FloorFor(c.Memory) }
	if slices.ContainsFunc(found, func(c *candidate) bool { return c.isUntrusted() && isRelevant(c) }) {
		slices.SortStableFunc(found, func(a, b *candidate) int {
			switch {
			case isRelevant(a) == isRelevant(b):
				return 0
			case isRelevant(a):
				return -1
			}
			return 1
		})
	}
}

// countForgottenMatches counts the forgotten memories that would be among the hits if
// the search included them. A separate query finds them, so that they never push a
// visible memory out of a lane.
func (r *Recaller) countForgottenMatches(ctx context.Context, now time.Time, q laneQuery, o SearchOptions, visible []*candidate) (int, error) {
	if o.Predicate.Forgotten != memory.Exclude {
		return 0, nil
	}
	p := o.Predicate
	p.Forgotten = memory.Only
	found, l, err := r.rank(ctx, now, q, p, o.Limit)
	defer l.release()
	if err != nil || len(found) == 0 {
		return 0, err
	}
	all := append(slices.Clone(visible), found...)
	order(all, q, r.set)
	all = r.dedupe(all[:min(dedupePerHit*o.Limit, len(all))], q.intent, new(Trace))
	n := 0
	for _, c := range all[:min(o.Limit, len(all))] {
		if c.Forgotten {
			n++
		}
	}
	return n, nil
}
