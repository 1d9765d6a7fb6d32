package eval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Inject returns the memories that are injected into a prompt, here a golden query. It
// records no use.
type Inject func(ctx context.Context, g Golden) ([]memory.Hit, error)

// Blocks contains the metrics of the injected blocks, which depend on floor, budgets
// and tiers.
type Blocks struct {
	Queries  int     `json:"queries"`  // that have an answer
	Recall   float64 `json:"recall"`   // share of the relevant lines in the block; mean over the queries
	Kept     float64 `json:"kept"`     // of the queries with a relevant hit among the first 20, the share with one in the block
	Memories float64 `json:"memories"` // mean per block
	Tokens   float64 `json:"tokens"`   // mean per block

	// Answered is the share of the queries with a relevant memory in the block, whether
	// a search finds one or not. Precision is the share of relevant memories among all
	// injected ones, and PooledRecall the share of all relevant lines that are injected.
	// Both are over all queries together, so that a long list counts for its length.
	// Allowed lines count for neither.
	Answered     float64 `json:"answered"`
	Precision    float64 `json:"precision"`
	PooledRecall float64 `json:"pooled_recall"`

	ByCategory map[string]Blocks `json:"by_category,omitempty"`

	Noise *Noise `json:"noise,omitempty"` // nil if every query has an answer
}

// Noise contains the metrics of the blocks for queries that no memory answers.
type Noise struct {
	Queries  int     `json:"queries"`
	Empty    float64 `json:"empty"`    // share of queries with an empty block
	Memories float64 `json:"memories"` // mean per block, including empty ones
}

// foundDepth is how many hits of a search are compared with the block: the default
// limit of memories in a block.
const foundDepth = 20

// blocks collects the metrics of Blocks.
type blocks struct {
	answerable, found, kept         int
	recall, memories, tokens        float64
	unanswerable, empty, irrelevant int

	answered                int
	injected, right         int // memories, without the allowed ones
	relevant, relevantFound int
	byCategory              map[string]*blocks
}

// addGolden adds one query to all, and to its category.
func (b *blocks) addGolden(g Golden, hits, block []memory.Hit) {
	b.add(g, hits, block)
	if g.Category == "" {
		return
	}
	if b.byCategory == nil {
		b.byCategory = map[string]*blocks{}
	}
	if b.byCategory[g.Category] == nil {
		b.byCategory[g.Category] = &blocks{}
	}
	b.byCategory[g.Category].add(g, hits, block)
}

func (b *blocks) add(g Golden, hits, block []memory.Hit) {
	block = b.count(g, block)
	if len(g.Relevant) == 0 {
		b.unanswerable++
		b.irrelevant += len(block)
		if len(block) == 0 {
			b.empty++
		}
		return
	}
	b.answerable++
	b.memories += float64(len(block))
	for _, h := range block {
		b.tokens += float64((len(h.Text) + bytesPerToken - 1) / bytesPerToken)
	}
	recall := coverage(block, g.Relevant)
	b.recall += recall
	if recall > 0 {
		b.answered++
	}
	if coverage(hits[:min(len(hits), foundDepth)], g.Relevant) > 0 {
		b.found++
		if recall > 0 {
			b.kept++
		}
	}
}

// count counts the memories and relevant lines of a block, and returns its memories
// without those that are only allowed.
func (b *blocks) count(g Golden, block []memory.Hit) (counted []memory.Hit) {
	covers := func(h memory.Hit) func(Line) bool { return func(l Line) bool { return l.CoveredBy(h) } }
	for _, h := range block {
		switch {
		case slices.ContainsFunc(g.Relevant, covers(h)):
			b.right++
		case slices.ContainsFunc(g.Allowed, covers(h)):
			continue
		}
		counted = append(counted, h)
	}
	b.injected += len(counted)
	b.relevant += len(g.Relevant)
	b.relevantFound += found(block, g.Relevant)
	return counted
}

// found returns how many of the lines the hits find.
func found(hits []memory.Hit, lines []Line) (n int) {
	for _, l := range lines {
		if rankOf(hits, l) != notFound {
			n++
		}
	}
	return n
}

// coverage returns the share of the lines that the hits find.
func coverage(hits []memory.Hit, lines []Line) float64 {
	return float64(found(hits, lines)) / float64(len(lines))
}

func (b *blocks) report() *Blocks {
	mean := func(sum float64, n int) float64 { return round(sum/float64(max(1, n)), 1e6) }
	r := &Blocks{Queries: b.answerable, Recall: mean(b.recall, b.answerable), Kept: mean(float64(b.kept), b.found),
		Memories: mean(b.memories, b.answerable), Tokens: mean(b.tokens, b.answerable),
		Answered: mean(float64(b.answered), b.answerable), Precision: mean(float64(b.right), b.injected), PooledRecall: mean(float64(b.relevantFound), b.relevant)}
	for category, of := range b.byCategory {
		if r.ByCategory == nil {
			r.ByCategory = map[string]Blocks{}
		}
		r.ByCategory[category] = *of.report()
	}
	if b.unanswerable > 0 {
		r.Noise = &Noise{Queries: b.unanswerable, Empty: mean(float64(b.empty), b.unanswerable),
			Memories: mean(float64(b.irrelevant), b.unanswerable)}
	}
	return r
}

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
