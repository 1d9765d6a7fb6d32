package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
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
		r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: m.product(new(int)).Search, Inject: m.injectGolden}, nil)
		must(t, err)
		n := float64(r.Queries)
		queries += n
		q.recall10, q.mrr, q.injected = q.recall10+n*r.Metrics.Recall10, q.mrr+n*r.Metrics.MRR, q.injected+n*r.Blocks.Recall
		q.ranking, q.similarity = q.ranking+n*r.Orders.Ranking.Recall10, q.similarity+n*r.Orders.Similarity.Recall10
	}
	return quality{q.recall10 / queries, q.mrr / queries, q.injected / queries, q.ranking / queries, q.similarity / queries}
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
