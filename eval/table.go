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

// String returns the table that [Report.WriteTable] writes.
func (r Report) String() string {
	var b strings.Builder
	_ = r.WriteTable(&b) // a strings.Builder returns no error
	return b.String()
}

// WriteTable writes r for people, in percent: one row per lane, one row per category
// and lane, then the other values.
func (r Report) WriteTable(w io.Writer) error {
	if r.Queries == 0 { // no memory answers any: there is nothing to find
		return r.writeRest(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%d queries\t\t", r.Queries)
	for _, f := range new(Metrics).fields() {
		fmt.Fprintf(t, "%s\t", f.name)
	}
	fmt.Fprintln(t)
	for _, lane := range sortedLanes(r.Lanes) {
		writeRow(t, "all", lane, r.Lanes[lane])
	}
	for _, category := range slices.Sorted(maps.Keys(r.CategoryQueries)) {
		name := fmt.Sprintf("%s (%d)", category, r.CategoryQueries[category])
		for _, lane := range sortedLanes(r.Lanes) {
			writeRow(t, name, lane, r.LanesByCategory[lane][category])
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return r.writeRest(w)
}

// writeRest writes the values outside of the table.
func (r Report) writeRest(w io.Writer) error {
	var b strings.Builder
	if r.Blocks != nil {
		b.WriteString(r.Blocks.String())
	}
	b.WriteString(missesTable(r.NotInjected))
	for _, lane := range sortedLanes(r.LaneLatencyMS) {
		if r.Queries == 0 {
			break
		}
		l := r.LaneLatencyMS[lane]
		fmt.Fprintf(&b, "latency, %s: p50 %.2f ms, p95 %.2f ms, max %.2f ms\n", lane, l.P50, l.P95, l.Max)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeRow writes one row. The name is in every row, so that a row can be found by
// grep and read alone.
func writeRow(w io.Writer, name string, lane memory.Lane, m Metrics) {
	fmt.Fprintf(w, "%s\t%s\t", name, lane)
	for _, f := range m.fields() {
		fmt.Fprintf(w, "%.1f\t", 100**f.value)
	}
	fmt.Fprintln(w)
}

// sortedLanes returns the lanes of a report in the order of [memory.Lanes].
func sortedLanes[V any](of map[memory.Lane]V) (lanes []memory.Lane) {
	for _, lane := range memory.Lanes {
		if _, ok := of[lane]; ok {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}
