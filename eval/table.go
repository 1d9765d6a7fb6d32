package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
)

// String is the table that [Report.WriteTable] writes.
func (r Report) String() string {
	var b strings.Builder
	_ = r.WriteTable(&b) // a strings.Builder takes everything
	return b.String()
}

// WriteTable writes r for a person, in percent: a row a lane, then a row a
// category and lane, then latency. With a Comparison, each figure has beside it
// by how much it has grown.
func (r Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%d queries\t\t", r.Queries)
	for _, f := range new(Metrics).figures() {
		fmt.Fprintf(t, "%s\t", f.name)
	}
	fmt.Fprintln(t)
	for _, lane := range inOrder(r.Lanes) {
		r.row(t, "all", lane, r.Lanes[lane], r.before().Lanes)
	}
	for _, category := range slices.Sorted(maps.Keys(r.CategoryQueries)) {
		name := fmt.Sprintf("%s (%d)", category, r.CategoryQueries[category])
		for _, lane := range inOrder(r.Lanes) {
			r.row(t, name, lane, r.LanesByCategory[lane][category], changes(r.before().LanesByCategory, category))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return r.writeRest(w)
}

// writeRest writes what has no column.
func (r Report) writeRest(w io.Writer) error {
	var b strings.Builder
	if r.WrongScope != nil {
		fmt.Fprintf(&b, "wrong scope: %.1f %% of the hits\n", 100**r.WrongScope)
	}
	if o := r.Orders; o != nil {
		fmt.Fprintf(&b, "recall@10 and mrr of hybrid, ordered by the ranking alone: %.1f, %.1f; by similarity alone: %.1f, %.1f; by the composite alone: %.1f, %.1f\n",
			100*o.Ranking.Recall10, 100*o.Ranking.MRR, 100*o.Similarity.Recall10, 100*o.Similarity.MRR, 100*o.Composite.Recall10, 100*o.Composite.MRR)
	}
	if r.Blocks != nil {
		b.WriteString(r.Blocks.String())
	}
	for _, lane := range inOrder(r.LaneLatencyMS) {
		l := r.LaneLatencyMS[lane]
		fmt.Fprintf(&b, "latency, %s: p50 %.2f ms, p95 %.2f ms, max %.2f ms\n", lane, l.P50, l.P95, l.Max)
	}
	if r.Comparison != nil && r.Comparison.Queries != r.Queries {
		fmt.Fprintf(&b, "compared with a report of %d queries\n", r.Comparison.Queries)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row writes one line of figures. Names repeat, so that a line can be read, or
// found by grep, alone.
func (r Report) row(w io.Writer, name string, lane memory.Lane, m Metrics, changed map[memory.Lane]Metrics) {
	fmt.Fprintf(w, "%s\t%s\t", name, lane)
	change, compared := changed[lane]
	grown := change.figures()
	for i, f := range m.figures() {
		if compared {
			fmt.Fprintf(w, "%.1f %+.1f\t", 100**f.value, round(100**grown[i].value, 10))
		} else {
			fmt.Fprintf(w, "%.1f\t", 100**f.value)
		}
	}
	fmt.Fprintln(w)
}

func (r Report) before() Comparison {
	if r.Comparison == nil {
		return Comparison{}
	}
	return *r.Comparison
}

// changes turns lane and category round.
func changes(by map[memory.Lane]map[string]Metrics, category string) map[memory.Lane]Metrics {
	out := map[memory.Lane]Metrics{}
	for lane, categories := range by {
		if m, ok := categories[category]; ok {
			out[lane] = m
		}
	}
	return out
}

// inOrder gives the lanes of a report in the product's order.
func inOrder[V any](of map[memory.Lane]V) (lanes []memory.Lane) {
	for _, lane := range memory.Lanes {
		if _, ok := of[lane]; ok {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}
