package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/must"
)

// quality is the mean quality of the golden sets, over all queries.
type quality struct{ recall10, mrr, injected, ranking, similarity float64 }

// otherSets names other workspaces with a golden.jsonl, to measure ageing on them:
//
//	go test ./cmd/memory -run TestAgeingAndTheOrder -v -golden DIR,DIR
var otherSets = flag.String("golden", "", "measure ageing on these workspaces, between commas, instead of those of the repository")

// ageingSets returns the workspaces on which ageing is measured.
func ageingSets() []string {
	if *otherSets != "" {
		return strings.Split(*otherSets, ",")
	}
	return goldenSets
}

// measureTiers measures every golden set, with the tiers that tier assigns.
func measureTiers(t *testing.T, tier func(i int, right bool) memory.Tier) (q quality) {
	t.Helper()
	queries := 0.0
	for _, dir := range ageingSets() {
		m := openGolden(t, dir)
		m.assignTiers(t, tier)
		found := map[string][]memory.Hit{}
		search := func(ctx context.Context, lane memory.Lane, g eval.Golden) (hits []memory.Hit, err error) {
			found[g.ID], err = m.product(new(int)).Search(ctx, lane, g)
			return found[g.ID], err
		}
		r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: search, Inject: m.injectGolden}, nil)
		must.Do(t, err)
		n := float64(r.Queries)
		queries += n
		q.recall10, q.mrr, q.injected = q.recall10+n*r.Metrics.Recall10, q.mrr+n*r.Metrics.MRR, q.injected+n*r.Blocks.Recall
		q.ranking += n * recallInOrder(t, m.golden, found, func(h memory.Hit) (sum float64) {
			for _, f := range h.Ranking {
				sum += f.Points
			}
			return sum
		})
		q.similarity += n * recallInOrder(t, m.golden, found, func(h memory.Hit) float64 { return h.Similarity })
	}
	return quality{q.recall10 / queries, q.mrr / queries, q.injected / queries, q.ranking / queries, q.similarity / queries}
}

// recallInOrder returns the recall of the same hits in another order.
func recallInOrder(t *testing.T, golden []eval.Golden, found map[string][]memory.Hit, by func(memory.Hit) float64) float64 {
	t.Helper()
	search := func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		return slices.SortedStableFunc(slices.Values(found[g.ID]), func(a, b memory.Hit) int { return cmp.Compare(by(b), by(a)) }), nil
	}
	r, err := eval.Run(t.Context(), golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: search}, nil)
	must.Do(t, err)
	return r.Metrics.Recall10
}

func (q quality) String() string {
	return fmt.Sprintf("recall@10 %.2f %%, mean reciprocal rank %.4f, injected %.2f %%", 100*q.recall10, q.mrr, 100*q.injected)
}

// TestAgeingAndTheOrderCostAtMostOnePoint measures two things on the golden sets. Ageing: nine
// in ten correct answers are COLD, among HOT and WARM memories, and the same workspaces have
// one tier. The order of a search: the same hits in the order of the ranking alone and of the
// similarity alone.
func TestAgeingAndTheOrderCostAtMostOnePoint(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	aged := measureTiers(t, assignTier)
	one := measureTiers(t, func(int, bool) memory.Tier { return memory.TierWarm })
	t.Logf("aged: %s", aged)
	t.Logf("one tier: %s", one)
	const most = 0.01
	for name, lost := range map[string]float64{
		"ageing: recall@10": one.recall10 - aged.recall10, "ageing: injected lines": one.injected - aged.injected,
		"the order: recall@10 beside the ranking alone": one.ranking - one.recall10, "the order: recall@10 beside similarity alone": one.similarity - one.recall10,
	} {
		if lost > most {
			t.Errorf("%s costs %.2f points", name, 100*lost)
		}
	}
}
