// Package eval measures the quality of retrieval. It runs golden queries, whose
// relevant lines are known, in each lane of a search, and computes metrics ([Run],
// [Report]). It knows nothing of how the search works.
package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// MaxHits is how many hits of a search count. Nobody reads further.
const MaxHits = 50

// Search runs a golden query in one lane and returns the hits, best first; only the
// first MaxHits count. It runs at the time g.AsOf (zero: now) and records no use. It
// returns an error if the lane is not available, because the hits would be those of
// another lane.
type Search func(ctx context.Context, lane memory.Lane, g Golden) ([]memory.Hit, error)

// System is the system that a run measures.
type System struct {
	Search Search
	Inject Inject // nil: injection is not measured
	WhyNot WhyNot // nil: what is not injected is not explained
}

// Run runs every golden query in every lane, one after the other, and then injects
// for it. Without lanes it uses all of [memory.Lanes]. It calls progress, which may be
// nil, after each query. It stops at the first error.
func Run(ctx context.Context, golden []Golden, lanes []memory.Lane, s System, progress func(done, total int)) (Report, error) {
	if err := checkGolden(golden); err != nil {
		return Report{}, err
	}
	if s.Inject == nil && !slices.ContainsFunc(golden, func(g Golden) bool { return len(g.Relevant) > 0 }) {
		return Report{}, memory.Invalid("golden", "no golden query has a relevant line")
	}
	if len(lanes) == 0 {
		lanes = memory.Lanes
	}
	r := measurement{System: s, lanes: lanes, tallies: map[memory.Lane]*tally{}}
	for _, lane := range lanes {
		r.tallies[lane] = newTally()
	}
	for i, g := range golden {
		if err := r.runQuery(ctx, g); err != nil {
			return Report{}, err
		}
		if progress != nil {
			progress(i+1, len(golden))
		}
	}
	return r.report(), nil
}

// measurement is the state of a run.
type measurement struct {
	System
	lanes   []memory.Lane
	tallies map[memory.Lane]*tally
	blocks  blocks
	misses  []Miss
	bins    similarityBins
}

func (r *measurement) runQuery(ctx context.Context, g Golden) error {
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
			return fmt.Errorf("golden query %s (%s): %w", g.ID, lane, err)
		}
		hits = hits[:min(len(hits), MaxHits)]
		r.tallies[lane].add(g, hits, took)
		if lane == mainLane(r.lanes) {
			main = hits
		}
	}
	if r.Inject == nil {
		return ctx.Err()
	}
	block, err := r.Inject(ctx, g)
	if err != nil {
		return fmt.Errorf("inject for golden query %s: %w", g.ID, err)
	}
	r.blocks.addGolden(g, main, block)
	r.bins.add(g, block)
	return r.explainMisses(ctx, g, main, block)
}

func checkGolden(golden []Golden) error {
	if len(golden) == 0 {
		return memory.Invalid("golden", "there is no golden query")
	}
	return nil
}

// tally collects the metrics of one lane.
type tally struct {
	all        mean
	byCategory map[string]*mean
	latencies  []time.Duration
}

func newTally() *tally {
	return &tally{byCategory: map[string]*mean{}}
}

func (t *tally) add(g Golden, hits []memory.Hit, took time.Duration) {
	m := Measure(hits, g.Relevant)
	t.all.add(m)
	if g.Category != "" {
		if t.byCategory[g.Category] == nil {
			t.byCategory[g.Category] = &mean{}
		}
		t.byCategory[g.Category].add(m)
	}
	t.latencies = append(t.latencies, took)
}

// mean is the mean of the metrics of queries.
type mean struct {
	sum Metrics
	n   int
}

func (m *mean) add(one Metrics) {
	to, from := m.sum.fields(), one.fields()
	for i := range to {
		*to[i].value += *from[i].value
	}
	m.n++
}

func (m *mean) metrics() Metrics {
	out := m.sum
	for _, f := range out.fields() {
		*f.value = round(*f.value/float64(max(1, m.n)), 1e6)
	}
	return out
}

// percentiles returns percentiles by nearest rank, in milliseconds.
func percentiles(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	slices.Sort(took)
	at := func(percent int) float64 {
		rank := (percent*len(took) + 99) / 100
		return round(float64(took[rank-1])/float64(time.Millisecond), 1e3)
	}
	return Latency{P50: at(50), P95: at(95), Max: at(100)}
}
