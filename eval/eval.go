// Package eval measures retrieval: golden queries, of which the lines that
// answer them are known, go through a search that it is given, lane by lane,
// and come out as shares that can be compared ([Run], [Report]).
//
// It alone knows what the measures mean; how a search is done it never sees.
package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// MaxHits is how many hits of a search are looked at: what stands further down
// is read by nobody.
const MaxHits = 50

// Search answers a golden query in one lane, best hit first; more than [MaxHits]
// are left out. It asks at g.AsOf (zero: now) and records nothing. A lane that is
// out is an error: its figures would be those of another.
type Search func(ctx context.Context, lane memory.Lane, g Golden) ([]memory.Hit, error)

// Product is what a run measures.
type Product struct {
	Search Search
	Inject Inject // nil: what would be injected is not measured
}

// Run asks every golden query in every lane, one after the other, and then what
// would be injected for it. No lanes: all of [memory.Lanes]. progress, which may
// be nil, is told after each query. The first question that fails ends it.
func Run(ctx context.Context, golden []Golden, lanes []memory.Lane, p Product, progress func(done, total int)) (Report, error) {
	if err := check(golden); err != nil {
		return Report{}, err
	}
	if len(lanes) == 0 {
		lanes = memory.Lanes
	}
	r := run{Product: p, lanes: lanes, sums: map[memory.Lane]*tally{}}
	for _, lane := range lanes {
		r.sums[lane] = newTally()
	}
	for i, g := range golden {
		if err := r.ask(ctx, g); err != nil {
			return Report{}, err
		}
		if progress != nil {
			progress(i+1, len(golden))
		}
	}
	return r.report(), nil
}

// run is a run under way.
type run struct {
	Product
	lanes  []memory.Lane
	sums   map[memory.Lane]*tally
	blocks blocks
	orders orders
}

func (r *run) ask(ctx context.Context, g Golden) error {
	var main []memory.Hit
	for _, lane := range r.lanes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(g.Relevant) == 0 {
			continue
		}
		began := time.Now()
		hits, err := r.Search(ctx, lane, g)
		took := time.Since(began)
		if err != nil {
			return fmt.Errorf("ask golden query %s (%s): %w", g.ID, lane, err)
		}
		hits = hits[:min(len(hits), MaxHits)]
		r.sums[lane].add(g, hits, took)
		if lane == mainLane(r.lanes) {
			main = hits
		}
		if lane == memory.LaneHybrid {
			r.orders.add(hits, g.Relevant)
		}
	}
	if r.Inject == nil {
		return ctx.Err()
	}
	block, err := r.Inject(ctx, g)
	if err != nil {
		return fmt.Errorf("recall for golden query %s: %w", g.ID, err)
	}
	r.blocks.add(g, main, block)
	return nil
}

func check(golden []Golden) error {
	if len(golden) == 0 {
		return memory.Invalid("golden", "there is no golden query")
	}
	for _, g := range golden {
		if len(g.Relevant) > 0 {
			return nil
		}
	}
	return memory.Invalid("golden", "no golden query has a relevant line")
}

// tally gathers one lane's measures.
type tally struct {
	all        mean
	byCategory map[string]*mean
	took       []time.Duration
	spent      []float64 // a sum a budget of the curve

	scoped, wrong int // hits of queries that ask in a scope, and those of another
}

func newTally() *tally {
	return &tally{byCategory: map[string]*mean{}, spent: make([]float64, len(budgets))}
}

func (t *tally) add(g Golden, hits []memory.Hit, took time.Duration) {
	m := Measure(hits, g.Relevant)
	t.all.add(m)
	spend(t.spent, hits, g.Relevant)
	if g.Category != "" {
		if t.byCategory[g.Category] == nil {
			t.byCategory[g.Category] = &mean{}
		}
		t.byCategory[g.Category].add(m)
	}
	t.took = append(t.took, took)
	if g.Scope == "" {
		return
	}
	for _, h := range hits {
		t.scoped++
		if !h.Scope.Matches(g.Scope) {
			t.wrong++
		}
	}
}

// mean adds up measures of queries, each of which counts the same.
type mean struct {
	sum Metrics
	n   int
}

func (m *mean) add(one Metrics) {
	to, from := m.sum.figures(), one.figures()
	for i := range to {
		*to[i].value += *from[i].value
	}
	m.n++
}

func (m *mean) metrics() Metrics {
	out := m.sum
	for _, f := range out.figures() {
		*f.value = round(*f.value/float64(m.n), 1e6)
	}
	return out
}

// latency gives percentiles by nearest rank, in milliseconds.
func latency(took []time.Duration) Latency {
	slices.Sort(took)
	at := func(percent int) float64 {
		rank := (percent*len(took) + 99) / 100
		return round(float64(took[rank-1])/float64(time.Millisecond), 1e3)
	}
	return Latency{P50: at(50), P95: at(95), Max: at(100)}
}
