package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String formats the metrics for people.
func (b Blocks) String() string {
	s := ""
	if b.Queries > 0 {
		s = fmt.Sprintf("injected: %.1f %% of the relevant lines, in %.1f %% of the queries whose answer is found; %.1f memories, %.0f tokens\n",
			100*b.Recall, 100*b.Kept, b.Memories, b.Tokens)
	}
	s += b.summary("blocks")
	for _, category := range slices.Sorted(maps.Keys(b.ByCategory)) {
		s += b.ByCategory[category].summary("blocks, " + category)
	}
	if b.Noise != nil {
		s += fmt.Sprintf("of %d queries that nothing answers, %.1f %% get nothing; %.2f memories\n", b.Noise.Queries, 100*b.Noise.Empty, b.Noise.Memories)
	}
	return s
}

// summary formats what a block is worth in one line.
func (b Blocks) summary(name string) string {
	var parts []string
	if b.Queries > 0 {
		parts = append(parts, fmt.Sprintf("%.1f %% of the queries answered, precision %.1f %%, recall %.1f %%", 100*b.Answered, 100*b.Precision, 100*b.PooledRecall))
	}
	if b.Noise != nil {
		parts = append(parts, fmt.Sprintf("%.1f %% of the unanswerable ones empty", 100*b.Noise.Empty))
	}
	return name + ": " + strings.Join(parts, ", ") + "\n"
}
