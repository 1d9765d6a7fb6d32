package eval_test

import (
	"context"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// TestOrdersMeasureEachOrder uses three hits. The relevant one is second; by the
// ranking it is first, by similarity last, and by the composite second.
func TestOrdersMeasureEachOrder(t *testing.T) {
	ranked := func(line int, points, similarity, score float64) memory.Hit {
		h := hit("a.md", line, line, 10)
		h.Ranking = memory.List[memory.Factor]{{Name: "words", Points: points - 1}, {Name: "names", Points: 1}}
		h.Similarity, h.Score = similarity, score
		return h
	}
	hits := []memory.Hit{ranked(8, 2, .5, .9), ranked(1, 3, .3, .5), ranked(9, 1, .4, .1)}
	search := func(_ context.Context, lane memory.Lane, _ eval.Golden) ([]memory.Hit, error) {
		if lane == memory.LaneHybrid {
			return hits, nil
		}
		return nil, nil
	}
	r, err := eval.Run(t.Context(), []eval.Golden{golden("q", "", 1)}, nil, eval.System{Search: search}, nil)
	if err != nil || r.Orders == nil {
		t.Fatalf("orders %v, %v", r.Orders, err)
	}
	for name, order := range map[string]struct{ got, want float64 }{
		"search order": {r.Metrics.MRR, .5}, "ranking": {r.Orders.Ranking.MRR, 1},
		"similarity": {r.Orders.Similarity.MRR, 0.333333}, "composite": {r.Orders.Composite.MRR, .5},
	} {
		if order.got != order.want {
			t.Errorf("%s: %v, want %v", name, order.got, order.want)
		}
	}
	hits = irrelevant(3, 10)
	r, err = eval.Run(t.Context(), []eval.Golden{golden("q", "", 1)}, nil, eval.System{Search: search}, nil)
	if err != nil || r.Orders != nil {
		t.Errorf("hits without signals: %+v, %v", r.Orders, err)
	}
}
