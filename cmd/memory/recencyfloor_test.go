package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// quality is the mean quality of the golden sets, over all queries.
type quality struct{ recall10, mrr, injected float64 }

// otherSets names other workspaces with a golden.jsonl, to measure ageing on them:
//
//	go test ./cmd/memory -run TestAgeingLosesAtMostOnePoint -v -golden DIR,DIR
var otherSets = flag.String("golden", "", "measure ageing on these workspaces, between commas, instead of those of the repository")

// ageingSets returns the workspaces on which ageing is measured.
func ageingSets() []string {
	if *otherSets != "" {
		return strings.Split(*otherSets, ",")
	}
	return goldenSets
}

// measureTiers assigns tiers in every golden set, and measures it.
func measureTiers(t *testing.T, tier func(i int, right bool) memory.Tier, environ ...string) (q quality) {
	t.Helper()
	queries := 0.0
	for _, dir := range ageingSets() {
		m := openGolden(t, dir, environ...)
		m.assignTiers(t, tier)
		r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: m.product(new(int)).Search, Inject: m.injectGolden}, nil)
		must(t, err)
		n := float64(r.Queries)
		queries += n
		t.Logf("%s: %s", filepath.Base(dir), quality{r.Metrics.Recall10, r.Metrics.MRR, r.Blocks.Recall})
		q.recall10, q.mrr, q.injected = q.recall10+n*r.Metrics.Recall10, q.mrr+n*r.Metrics.MRR, q.injected+n*r.Blocks.Recall
	}
	return quality{q.recall10 / queries, q.mrr / queries, q.injected / queries}
}

func (q quality) String() string {
	return fmt.Sprintf("recall@10 %.2f %%, mean reciprocal rank %.4f, injected %.2f %%", 100*q.recall10, q.mrr, 100*q.injected)
}

// Ageing costs at most one point: nine in ten correct answers are COLD, among HOT and
// WARM memories, and the same workspaces have one tier.
func TestAgeingLosesAtMostOnePoint(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	aged := measureTiers(t, assignTier)
	one := measureTiers(t, func(int, bool) memory.Tier { return memory.TierWarm })
	t.Logf("aged: %s", aged)
	t.Logf("one tier: %s", one)
	const most = 0.01
	if lost := one.recall10 - aged.recall10; lost > most {
		t.Errorf("ageing costs %.2f points of recall@10", 100*lost)
	}
	if lost := one.injected - aged.injected; lost > most {
		t.Errorf("ageing costs %.2f points of the injected lines", 100*lost)
	}
}

// The default of scoring.recencyFloor was chosen on workspaces with mixed tiers. No
// higher floor is better there with the default order.
func TestDefaultRecencyFloorIsTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	byDefault := measureTiers(t, assignTier)
	t.Logf("default: %s", byDefault)
	for _, floor := range []float64{0.1, 0.3, 0.5} {
		q := measureTiers(t, assignTier, fmt.Sprintf("MEMORY_SCORING_RECENCY_FLOOR=%v", floor))
		t.Logf("floor %.1f: %s", floor, q)
		const noise = 0.005 // half a point: one query in two hundred
		if q.recall10 > byDefault.recall10+noise || q.mrr > byDefault.mrr+noise || q.injected > byDefault.injected+noise {
			t.Errorf("a floor of %.1f is better than the default", floor)
		}
	}
}
