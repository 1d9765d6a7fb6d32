package eval

import "github.com/memory-tiered/memory"

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

	// Blocks is nil if injection was not measured.
	Blocks *Blocks `json:"blocks,omitempty"`

	// Similarities has the injected memories by their similarity.
	Similarities []SimilarityBin `json:"similarities,omitempty"`

	// LeftOutByDate is the largest number of memories that the as_of of a query
	// excludes. Where most memories are young, as in a fresh clone, no lane finds them.
	LeftOutByDate int `json:"left_out_by_date,omitempty"`

	// NotInjected lists the relevant memories that are not in the block of their query.
	NotInjected []Miss `json:"not_injected,omitempty"`

	// NoMemory is set by callers: see [WithoutMemory].
	NoMemory []string `json:"no_memory,omitempty"`
}

// Latency contains percentiles of the duration of searches, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// Quality returns r without the values that differ between two runs on the same index, and
// without lists.
// In a file under version control, a change of the ranking shows as a diff.
func (r Report) Quality() Report {
	r.LatencyMS, r.LaneLatencyMS, r.LeftOutByDate, r.NotInjected, r.Similarities = Latency{}, nil, 0, nil, nil
	return r
}

func (r *measurement) report() Report {
	main := r.tallies[mainLane(r.lanes)]
	out := Report{
		Queries: main.all.n, Metrics: main.all.metrics(), ByCategory: main.categories(), LatencyMS: percentiles(main.latencies),
		Lanes: map[memory.Lane]Metrics{}, LanesByCategory: map[memory.Lane]map[string]Metrics{},
		LaneLatencyMS: map[memory.Lane]Latency{}, CategoryQueries: map[string]int{},
	}
	for lane, t := range r.tallies {
		out.Lanes[lane], out.LanesByCategory[lane], out.LaneLatencyMS[lane] = t.all.metrics(), t.categories(), percentiles(t.latencies)
	}
	for category, m := range main.byCategory {
		out.CategoryQueries[category] = m.n
	}
	out.NotInjected = r.misses
	if r.Inject != nil {
		out.Blocks, out.Similarities = r.blocks.report(), r.bins
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
