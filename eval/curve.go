package eval

import "github.com/memory-tiered/memory"

// budgets are the token budgets of the curve, in nearly even steps on a logarithmic
// axis. They go from the size of a short answer to more than anybody spends on
// memories.
var budgets = []int{100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000}

// Curve is recall against a token budget: Recall[lane][i] is the share of the relevant
// lines in the hits that fit into Tokens[i]. At most [MaxHits] hits count, even if
// the budget allows more.
type Curve struct {
	Tokens []int                     `json:"tokens"`
	Recall map[memory.Lane][]float64 `json:"recall"`
}

// addToCurve adds one query's recall within each budget to sums.
func addToCurve(sums []float64, hits []memory.Hit, targets []Session) {
	for i, tokens := range budgets {
		sums[i] += recallWithin(hits, targets, tokens)
	}
}

func (r *measurement) curve() *Curve {
	c := &Curve{Tokens: budgets, Recall: map[memory.Lane][]float64{}}
	for lane, t := range r.tallies {
		for _, sum := range t.curveSums {
			c.Recall[lane] = append(c.Recall[lane], round(sum/float64(max(1, t.all.n)), 1e6))
		}
	}
	return c
}
