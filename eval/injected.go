package eval

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// Inject returns the memories that are injected into a prompt, here a golden query. It
// records no use.
type Inject func(ctx context.Context, g Golden) ([]memory.Hit, error)

// Blocks contains the metrics of the injected blocks, which depend on floor, budgets
// and tiers.
type Blocks struct {
	Recall   float64 `json:"recall"`   // share of the relevant lines in the block
	Kept     float64 `json:"kept"`     // of the queries with a relevant hit among the first 20, the share with one in the block
	Memories float64 `json:"memories"` // mean per block
	Tokens   float64 `json:"tokens"`   // mean per block

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
}

func (b *blocks) add(g Golden, hits, block []memory.Hit) {
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
		b.tokens += float64((len(h.Text) + BytesPerToken - 1) / BytesPerToken)
	}
	recall := coverage(block, g.Relevant)
	b.recall += recall
	if coverage(hits[:min(len(hits), foundDepth)], g.Relevant) > 0 {
		b.found++
		if recall > 0 {
			b.kept++
		}
	}
}

// coverage returns the share of the relevant lines that the hits find.
func coverage(hits []memory.Hit, relevant []Line) float64 {
	lines, found := unique(relevant), 0
	for _, line := range lines {
		if rankOf(hits, line) != notFound {
			found++
		}
	}
	return float64(found) / float64(len(lines))
}

func (b *blocks) report() *Blocks {
	mean := func(sum float64, n int) float64 { return round(sum/float64(max(1, n)), 1e6) }
	r := &Blocks{Recall: mean(b.recall, b.answerable), Kept: mean(float64(b.kept), b.found),
		Memories: mean(b.memories, b.answerable), Tokens: mean(b.tokens, b.answerable)}
	if b.unanswerable > 0 {
		r.Noise = &Noise{Queries: b.unanswerable, Empty: mean(float64(b.empty), b.unanswerable),
			Memories: mean(float64(b.irrelevant), b.unanswerable)}
	}
	return r
}

// String formats the metrics for people.
func (b Blocks) String() string {
	s := fmt.Sprintf("injected: %.1f %% of the relevant lines, in %.1f %% of the queries whose answer is found; %.1f memories, %.0f tokens\n",
		100*b.Recall, 100*b.Kept, b.Memories, b.Tokens)
	if b.Noise != nil {
		s += fmt.Sprintf("of %d queries that nothing answers, %.1f %% get nothing; %.2f memories\n", b.Noise.Queries, 100*b.Noise.Empty, b.Noise.Memories)
	}
	return s
}
