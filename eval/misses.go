package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
)

// Miss is a relevant memory that is not in the block of its query, with the reason.
type Miss struct {
	Query    string `json:"query"` // the id of the query
	FileLine int    `json:"file_line"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Place    int    `json:"place"` // among the hits of the search, from 1; 0: it is not among them

	Cause
}

// Cause is why a memory is not injected.
type Cause struct {
	ID     memory.ID `json:"id"`
	Reason string    `json:"reason"` // one of the Reason constants of the root package
	Detail string    `json:"detail"`
}

// WhyNot returns why the memory at a line is not injected for a golden query. ok is
// false if the line belongs to no memory, which [WithoutMemory] reports.
type WhyNot func(ctx context.Context, g Golden, l Line) (c Cause, ok bool, err error)

// explainMisses adds a miss for each relevant memory that is not in the block.
func (r *measurement) explainMisses(ctx context.Context, g Golden, hits, block []memory.Hit) error {
	if r.WhyNot == nil {
		return nil
	}
	for _, l := range g.Relevant {
		if rankOf(block, l) != notFound {
			continue
		}
		cause, ok, err := r.WhyNot(ctx, g, l)
		if err != nil {
			return fmt.Errorf("golden query %s, %s: %w", g.ID, l, err)
		}
		known := slices.ContainsFunc(r.misses, func(m Miss) bool { return m.FileLine == g.FileLine && m.ID == cause.ID })
		if ok && !known {
			place := slices.IndexFunc(hits, func(h memory.Hit) bool { return h.ID == cause.ID }) + 1
			r.misses = append(r.misses, Miss{Query: g.ID, FileLine: g.FileLine, Path: l.Path, Line: l.Line, Place: place, Cause: cause})
		}
	}
	return nil
}

// maxMissesShown is how many misses the table lists. The JSON has all.
const maxMissesShown = 20

// missesTable lists the misses for people, one a line.
func missesTable(misses []Miss) string {
	if len(misses) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "not injected: %d relevant memories\n", len(misses))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range misses[:min(len(misses), maxMissesShown)] {
		place := fmt.Sprintf("place %d", m.Place)
		if m.Place == 0 {
			place = "not found"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s: %s\n", m.Query, Line{m.Path, m.Line}, place, m.Reason, m.Detail)
	}
	_ = t.Flush() // a strings.Builder returns no error
	if more := len(misses) - maxMissesShown; more > 0 {
		fmt.Fprintf(&b, "  … and %d more; --json lists all\n", more)
	}
	return b.String()
}
