package eval

import (
	"github.com/memory-tiered/memory"
)

// Report is what a run measured. Its JSON is the command line's.
type Report struct {
	Queries    int                     `json:"queries"`
	Metrics    Metrics                 `json:"metrics"` // of the hybrid lane, or of the first where it was not asked
	Lanes      map[memory.Lane]Metrics `json:"lanes"`
	ByCategory map[string]Metrics      `json:"by_category"` // of the lane that Metrics are of
	LatencyMS  Latency                 `json:"latency_ms,omitzero"`

	LanesByCategory map[memory.Lane]map[string]Metrics `json:"lanes_by_category"`
	LaneLatencyMS   map[memory.Lane]Latency            `json:"lane_latency_ms,omitempty"`
	CategoryQueries map[string]int                     `json:"category_queries"`

	Curve *Curve `json:"curve,omitempty"`

	// Orders is nil where the hybrid lane was not asked, or its hits have no signals.
	Orders *Orders `json:"orders,omitempty"`

	// Blocks is nil where nobody asked what would be injected.
	Blocks *Blocks `json:"blocks,omitempty"`

	// WrongScope is the share of hits that are of another scope than the one asked
	// in; nil where no query asked in one.
	WrongScope *float64 `json:"wrong_scope,omitempty"`

	// Comparison is for who compares with another report: see [Report.Compare].
	Comparison *Comparison `json:"comparison,omitempty"`
}

// Latency is how long searches took, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// Quality is r without what differs from run to run on the same index: fit to be
// kept in a file, where a change of ranking shows as a difference.
func (r Report) Quality() Report {
	r.LatencyMS, r.LaneLatencyMS, r.Comparison = Latency{}, nil, nil
	return r
}

func (r *run) report() Report {
	main := r.sums[mainLane(r.lanes)]
	out := Report{
		Queries: main.all.n, Metrics: main.all.metrics(), ByCategory: main.categories(), LatencyMS: latency(main.took),
		Lanes: map[memory.Lane]Metrics{}, LanesByCategory: map[memory.Lane]map[string]Metrics{},
		LaneLatencyMS: map[memory.Lane]Latency{}, CategoryQueries: map[string]int{},
		Curve: r.curve(), Orders: r.orders.report(main.all.n),
	}
	for lane, t := range r.sums {
		out.Lanes[lane], out.LanesByCategory[lane], out.LaneLatencyMS[lane] = t.all.metrics(), t.categories(), latency(t.took)
	}
	for category, m := range main.byCategory {
		out.CategoryQueries[category] = m.n
	}
	if main.scoped > 0 {
		share := round(float64(main.wrong)/float64(main.scoped), 1e6)
		out.WrongScope = &share
	}
	if r.Inject != nil {
		out.Blocks = r.blocks.report()
	}
	return out
}

func mainLane(lanes []memory.Lane) memory.Lane {
	for _, lane := range lanes {
		if lane == memory.LaneHybrid {
			return lane
		}
	}
	return lanes[0]
}

func (t *tally) categories() map[string]Metrics {
	out := make(map[string]Metrics, len(t.byCategory))
	for category, m := range t.byCategory {
		out[category] = m.metrics()
	}
	return out
}

// Comparison is one report less another: what is above zero has grown. Lanes and
// categories that only one of them has are left out.
type Comparison struct {
	Queries         int                                `json:"queries"` // of the other report; where it is not ours, the sets differ
	Metrics         Metrics                            `json:"metrics"`
	Lanes           map[memory.Lane]Metrics            `json:"lanes"`
	ByCategory      map[string]Metrics                 `json:"by_category"`
	LanesByCategory map[memory.Lane]map[string]Metrics `json:"lanes_by_category"`
}

// Compare takes other, the report from before, off r. To show it with r, set it
// as r.Comparison.
func (r Report) Compare(other Report) *Comparison {
	c := &Comparison{
		Queries: other.Queries, Metrics: less(r.Metrics, other.Metrics),
		Lanes: lessAll(r.Lanes, other.Lanes), ByCategory: lessAll(r.ByCategory, other.ByCategory),
		LanesByCategory: map[memory.Lane]map[string]Metrics{},
	}
	for lane, now := range r.LanesByCategory {
		if before, ok := other.LanesByCategory[lane]; ok {
			c.LanesByCategory[lane] = lessAll(now, before)
		}
	}
	return c
}

func lessAll[K comparable](now, before map[K]Metrics) map[K]Metrics {
	out := map[K]Metrics{}
	for key, m := range now {
		if other, ok := before[key]; ok {
			out[key] = less(m, other)
		}
	}
	return out
}

func less(now, before Metrics) Metrics {
	from := before.figures()
	for i, f := range now.figures() {
		*f.value = round(*f.value-*from[i].value, 1e6)
	}
	return now
}
