package eval

import (
	"cmp"
	"slices"

	"github.com/memory-tiered/memory"
)

// Orders contains the metrics of the hybrid lane's hits in other orders. They show
// what ordering by the composite costs.
type Orders struct {
	Ranking    Metrics `json:"ranking"`    // by the ranking's sum of signals
	Similarity Metrics `json:"similarity"` // by similarity
	Composite  Metrics `json:"composite"`  // by the composite, as with scoring.preset prd
}

// orders collects the metrics of Orders.
type orders struct{ ranking, similarity, composite mean }

// add measures one query's hits in each order. It ignores hits without signals, which
// other values of search.fusion give.
func (o *orders) add(hits []memory.Hit, g Golden) {
	if !slices.ContainsFunc(hits, func(h memory.Hit) bool { return len(h.Ranking) > 0 }) && len(hits) > 0 {
		return
	}
	o.ranking.add(measureGolden(sortedBy(hits, rankingSum), g))
	o.similarity.add(measureGolden(sortedBy(hits, func(h memory.Hit) float64 { return h.Similarity }), g))
	o.composite.add(measureGolden(sortedBy(hits, func(h memory.Hit) float64 { return h.Score }), g))
}

// sortedBy returns the hits in descending order of a value; the sort is stable.
func sortedBy(hits []memory.Hit, value func(memory.Hit) float64) []memory.Hit {
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

// report returns nil unless all n queries were measured, and there are any.
func (o *orders) report(n int) *Orders {
	if o.ranking.n != n || n == 0 {
		return nil
	}
	return &Orders{Ranking: o.ranking.metrics(), Similarity: o.similarity.metrics(), Composite: o.composite.metrics()}
}
