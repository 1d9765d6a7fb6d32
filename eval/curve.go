package eval

import "github.com/memory-tiered/memory"

// budgets are the tokens that the curve is measured within: steps that look
// even on a logarithmic axis, from what a short answer takes to more than
// anybody gives to memories.
var budgets = []int{100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000}

// Curve is recall against the tokens that the hits may take, lane by lane: the
// share of the relevant lines that is met within Tokens[i] is Recall[lane][i].
// No more than [MaxHits] hits are taken, however many tokens are left.
type Curve struct {
	Tokens []int                     `json:"tokens"`
	Recall map[memory.Lane][]float64 `json:"recall"`
}

// spend adds one query's hits to the sums of a curve.
func spend(sums []float64, hits []memory.Hit, relevant []Line) {
	lines := distinct(relevant)
	for i, tokens := range budgets {
		sums[i] += within(hits, lines, tokens)
	}
}

func (r *run) curve() *Curve {
	c := &Curve{Tokens: budgets, Recall: map[memory.Lane][]float64{}}
	for lane, t := range r.sums {
		for _, sum := range t.spent {
			c.Recall[lane] = append(c.Recall[lane], round(sum/float64(t.all.n), 1e6))
		}
	}
	return c
}
