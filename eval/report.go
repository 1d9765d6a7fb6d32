package eval

import (
	"github.com/memory-tiered/memory"
)

// Report is the result of a run. Its JSON is the output of memory eval --json.
type Report struct {
	Queries    int                     `json:"queries"`
	Metrics    Metrics                 `json:"metrics"` // of the hybrid lane, or without it of the first lane
	Lanes      map[memory.Lane]Metrics `json:"lanes"`
	ByCategory map[string]Metrics      `json:"by_category"` // of the same lane as Metrics
	LatencyMS  Latency                 `json:"latency_ms,omitzero"`

	LanesByCategory map[memory.Lane]map[string]Metrics `json:"lanes_by_category"`
	LaneLatencyMS   map[memory.Lane]Latency            `json:"lane_latency_ms,omitempty"`
	CategoryQueries map[string]int                     `json:"category_queries"`

	Curve *Curve `json:"curve,omitempty"`

	// Orders is nil if the hybrid lane was not run, or its hits have no signals.
	Orders *Orders `json:"orders,omitempty"`

	// Blocks is nil if injection was not measured.
	Blocks *Blocks `json:"blocks,omitempty"`

	// WrongScope is the share of hits of another scope than the query's; nil if no
	// query has a scope.
	WrongScope *float64 `json:"wrong_scope,omitempty"`

	// LeftOutByDate is the largest number of memories that the as_of of a query
	// excludes. Where most memories are young, as in a fresh clone, no lane finds them.
	LeftOutByDate int `json:"left_out_by_date,omitempty"`

	// HiddenAnswers lists the queries with a relevant memory that is younger than their
	// as_of, so that no lane can find it.
	HiddenAnswers []string `json:"hidden_answers,omitempty"`

	// NotInjected lists the relevant memories that are not in the block of their query.
	NotInjected []Miss `json:"not_injected,omitempty"`

	// NoMemory and Moved are set by callers: see [Locations].
	NoMemory []string `json:"no_memory,omitempty"`
	Moved    []string `json:"moved,omitempty"`

	// Comparison is set by callers: see [Report.Compare].
	Comparison *Comparison `json:"comparison,omitempty"`
}

// Latency contains percentiles of the duration of searches, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// Quality returns r without the values that differ between two runs on the same index.
// In a file under version control, a change of the ranking shows as a diff.
func (r Report) Quality() Report {
	r.LatencyMS, r.LaneLatencyMS, r.Comparison, r.LeftOutByDate, r.HiddenAnswers, r.NotInjected = Latency{}, nil, nil, 0, nil, nil
	return r
}

func (r *measurement) report() Report {
	main := r.tallies[mainLane(r.lanes)]
	out := Report{
		Queries: main.all.n, Metrics: main.all.metrics(), ByCategory: main.categories(), LatencyMS: percentiles(main.latencies),
		Lanes: map[memory.Lane]Metrics{}, LanesByCategory: map[memory.Lane]map[string]Metrics{},
		LaneLatencyMS: map[memory.Lane]Latency{}, CategoryQueries: map[string]int{},
		Curve: r.curve(), Orders: r.orders.report(main.all.n),
	}
	for lane, t := range r.tallies {
		out.Lanes[lane], out.LanesByCategory[lane], out.LaneLatencyMS[lane] = t.all.metrics(), t.categories(), percentiles(t.latencies)
	}
	for category, m := range main.byCategory {
		out.CategoryQueries[category] = m.n
	}
	if main.scopedHits > 0 {
		share := round(float64(main.wrongScopeHits)/float64(main.scopedHits), 1e6)
		out.WrongScope = &share
	}
	out.HiddenAnswers, out.NotInjected = r.hidden, r.misses
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

// Comparison is the difference of two reports. A positive value means that the metric
// has grown. It leaves out lanes and categories that only one report has.
type Comparison struct {
	Queries         int                                `json:"queries"` // of the earlier report
	Metrics         Metrics                            `json:"metrics"`
	Lanes           map[memory.Lane]Metrics            `json:"lanes"`
	ByCategory      map[string]Metrics                 `json:"by_category"`
	LanesByCategory map[memory.Lane]map[string]Metrics `json:"lanes_by_category"`
	Blocks          *Blocks                            `json:"blocks,omitempty"` // queries are those of the earlier report
}

// Compare subtracts other, the earlier report, from r. To print the result with r,
// assign it to r.Comparison.
func (r Report) Compare(other Report) *Comparison {
	c := &Comparison{
		Queries: other.Queries, Metrics: minus(r.Metrics, other.Metrics),
		Lanes: minusAll(r.Lanes, other.Lanes), ByCategory: minusAll(r.ByCategory, other.ByCategory),
		LanesByCategory: map[memory.Lane]map[string]Metrics{},
	}
	if r.Blocks != nil && other.Blocks != nil {
		blocks := r.Blocks.minus(*other.Blocks)
		c.Blocks = &blocks
	}
	for lane, now := range r.LanesByCategory {
		if before, ok := other.LanesByCategory[lane]; ok {
			c.LanesByCategory[lane] = minusAll(now, before)
		}
	}
	return c
}

func minusAll[K comparable](now, before map[K]Metrics) map[K]Metrics {
	out := map[K]Metrics{}
	for key, m := range now {
		if other, ok := before[key]; ok {
			out[key] = minus(m, other)
		}
	}
	return out
}

func minus(now, before Metrics) Metrics {
	from := before.fields()
	for i, f := range now.fields() {
		*f.value = round(*f.value-*from[i].value, 1e6)
	}
	return now
}
