package eval

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// Inject gives what would be put before a model that gets a golden query as its
// prompt, and records nothing.
type Inject func(ctx context.Context, g Golden) ([]memory.Hit, error)

// Blocks says what comes before a model, where a floor, a budget and tiers stand
// between a search and its answer.
type Blocks struct {
	Recall   float64 `json:"recall"`   // share of the relevant lines that the block holds
	Kept     float64 `json:"kept"`     // of the queries with a right hit among the first 20, those with one in the block
	Memories float64 `json:"memories"` // in a block, on the average
	Tokens   float64 `json:"tokens"`

	Noise *Noise `json:"noise,omitempty"` // nil where every query can be answered
}

// Noise is what comes before a model that asks what no memory answers.
type Noise struct {
	Queries  int     `json:"queries"`
	Empty    float64 `json:"empty"`    // share of them for which nothing does
	Memories float64 `json:"memories"` // in a block, on the average, empty ones counted
}

// sought is how many hits of a search are held against the block: the most that
// one holds by the product's settings.
const sought = 20

// blocks gathers what the blocks hold.
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
	met := share(block, g.Relevant)
	b.recall += met
	if share(hits[:min(len(hits), sought)], g.Relevant) > 0 {
		b.found++
		if met > 0 {
			b.kept++
		}
	}
}

func share(hits []memory.Hit, relevant []Line) float64 {
	lines, met := distinct(relevant), 0
	for _, line := range lines {
		if firstOn(hits, line) != nowhere {
			met++
		}
	}
	return float64(met) / float64(len(lines))
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

// String is how a person reads them.
func (b Blocks) String() string {
	s := fmt.Sprintf("injected: %.1f %% of the relevant lines, in %.1f %% of the queries whose answer is found; %.1f memories, %.0f tokens\n",
		100*b.Recall, 100*b.Kept, b.Memories, b.Tokens)
	if b.Noise != nil {
		s += fmt.Sprintf("of %d queries that nothing answers, %.1f %% get nothing; %.2f memories\n", b.Noise.Queries, 100*b.Noise.Empty, b.Noise.Memories)
	}
	return s
}
