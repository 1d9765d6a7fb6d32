package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String formats the metrics for people.
func (b Blocks) String() string { return b.table(nil) }

// table formats the metrics for people, each with its change if there is one.
func (b Blocks) table(change *Blocks) string {
	c := Blocks{}
	if change != nil {
		c = *change
	}
	percent := func(share, change float64) string { return percentWith(share, change, c.Queries != 0) }
	s := ""
	if b.Queries > 0 {
		s = fmt.Sprintf("injected: %s of the relevant lines, in %s of the queries whose answer is found; %.1f memories, %.0f tokens\n",
			percent(b.Recall, c.Recall), percent(b.Kept, c.Kept), b.Memories, b.Tokens)
	}
	s += b.summary("blocks", c)
	for _, category := range slices.Sorted(maps.Keys(b.ByCategory)) {
		s += b.ByCategory[category].summary("blocks, "+category, c.ByCategory[category])
	}
	if b.Noise != nil {
		s += fmt.Sprintf("of %d queries that nothing answers, %.1f %% get nothing; %.2f memories\n", b.Noise.Queries, 100*b.Noise.Empty, b.Noise.Memories)
	}
	return s
}

// summary formats what a block is worth in one line. A change of no queries is none.
func (b Blocks) summary(name string, change Blocks) string {
	var parts []string
	if b.Queries > 0 {
		percent := func(share, by float64) string { return percentWith(share, by, change.Queries > 0) }
		parts = append(parts, fmt.Sprintf("%s of the queries answered, precision %s, recall %s",
			percent(b.Answered, change.Answered), percent(b.Precision, change.Precision), percent(b.PooledRecall, change.PooledRecall)))
	}
	if b.Noise != nil {
		by := Noise{}
		if change.Noise != nil {
			by = *change.Noise
		}
		parts = append(parts, percentWith(b.Noise.Empty, by.Empty, change.Noise != nil)+" of the unanswerable ones empty")
	}
	return name + ": " + strings.Join(parts, ", ") + "\n"
}

func percentWith(share, change float64, compared bool) string {
	if !compared {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.1f %+.1f %%", 100*share, round(100*change, 10))
}

// minus returns the differences to an earlier report. Queries is that of the earlier one.
func (b Blocks) minus(other Blocks) Blocks {
	d := Blocks{Queries: other.Queries, Recall: b.Recall - other.Recall, Kept: b.Kept - other.Kept, Memories: b.Memories - other.Memories, Tokens: b.Tokens - other.Tokens,
		Answered: b.Answered - other.Answered, Precision: b.Precision - other.Precision, PooledRecall: b.PooledRecall - other.PooledRecall}
	for _, f := range []*float64{&d.Recall, &d.Kept, &d.Memories, &d.Tokens, &d.Answered, &d.Precision, &d.PooledRecall} {
		*f = round(*f, 1e6)
	}
	for category, now := range b.ByCategory {
		if before, ok := other.ByCategory[category]; ok {
			if d.ByCategory == nil {
				d.ByCategory = map[string]Blocks{}
			}
			d.ByCategory[category] = now.minus(before)
		}
	}
	if b.Noise != nil && other.Noise != nil {
		d.Noise = &Noise{Queries: other.Noise.Queries, Empty: round(b.Noise.Empty-other.Noise.Empty, 1e6), Memories: round(b.Noise.Memories-other.Noise.Memories, 1e6)}
	}
	return d
}
