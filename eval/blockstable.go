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
	compared, c := change != nil, Blocks{}
	if compared {
		c = *change
	}
	s := ""
	if b.Queries > 0 {
		s = fmt.Sprintf("injected: %s of the relevant lines, in %s of the queries whose answer is found; %.1f memories, %.0f tokens\n",
			percentWith(b.Recall, c.Recall, compared), percentWith(b.Kept, c.Kept, compared), b.Memories, b.Tokens)
	}
	s += b.summary("blocks", c, compared)
	for _, category := range slices.Sorted(maps.Keys(b.ByCategory)) {
		by, both := c.ByCategory[category]
		s += b.ByCategory[category].summary("blocks, "+category, by, both)
	}
	if b.Noise != nil {
		s += fmt.Sprintf("of %d queries that nothing answers, %.1f %% get nothing; %.2f memories\n", b.Noise.Queries, 100*b.Noise.Empty, b.Noise.Memories)
	}
	return s
}

// summary formats what a block is worth in one line.
func (b Blocks) summary(name string, change Blocks, compared bool) string {
	var parts []string
	if b.Queries > 0 {
		percent := func(share, by float64) string { return percentWith(share, by, compared) }
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
