package eval

import (
	"cmp"
	"slices"

	"github.com/memory-tiered/memory"
)

// Orders are the measures of the hybrid lane's hits in other orders than the one
// that they came in: what the composite costs, or would.
type Orders struct {
	Ranking    Metrics `json:"ranking"`    // by the ranking's sum of signals alone
	Similarity Metrics `json:"similarity"` // by similarity alone
	Composite  Metrics `json:"composite"`  // by the composite alone, as scoring.preset prd orders
}

// orders gathers them.
type orders struct{ ranking, similarity, composite mean }

// add puts one query's hits in each order. Hits without signals, as the other
// fusions give them, have nothing to be ordered by.
func (o *orders) add(hits []memory.Hit, relevant []Line) {
	if !slices.ContainsFunc(hits, func(h memory.Hit) bool { return len(h.Ranking) > 0 }) && len(hits) > 0 {
		return
	}
	o.ranking.add(Measure(by(hits, rankingSum), relevant))
	o.similarity.add(Measure(by(hits, func(h memory.Hit) float64 { return h.Similarity }), relevant))
	o.composite.add(Measure(by(hits, func(h memory.Hit) float64 { return h.Score }), relevant))
}

// by gives the hits with the largest value first; equals stay as they came.
func by(hits []memory.Hit, value func(memory.Hit) float64) []memory.Hit {
	hits = slices.Clone(hits)
	slices.SortStableFunc(hits, func(a, b memory.Hit) int { return cmp.Compare(value(b), value(a)) })
	return hits
}

func rankingSum(h memory.Hit) (sum float64) {
	for _, f := range h.Ranking {
		sum += f.Points
	}
	return sum
}

// report is nil unless every one of n queries had its hits ordered.
func (o *orders) report(n int) *Orders {
	if o.ranking.n != n {
		return nil
	}
	return &Orders{Ranking: o.ranking.metrics(), Similarity: o.similarity.metrics(), Composite: o.composite.metrics()}
}
