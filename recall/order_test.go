package recall_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

func TestPresetAndFusionDecideTheOrder(t *testing.T) {
	old := created(now.AddDate(-2, 0, 0))
	build := func() *fakeSource {
		src := &fakeSource{}
		src.add("right", 0.70, "Alpha", old, tier(memory.TierCold))
		src.add("newer", 0.69, "Bravo")
		src.add("fresh", 0.45, "Charlie")
		return src
	}
	t.Run("balanced: recency decides among near equals alone", func(t *testing.T) {
		wantIDs(t, mustSearch(t, newRecaller(build()), recall.SearchOptions{Text: "x1"}).Hits, "newer", "right", "fresh")
	})
	t.Run("prd: the composite decides alone", func(t *testing.T) {
		prd := newRecaller(build(), func(s *recall.Settings) { s.Preset = recall.PresetPRD })
		wantIDs(t, mustSearch(t, prd, recall.SearchOptions{Text: "x1"}).Hits, "newer", "fresh", "right")
	})
}

func TestOrderDoesNotDependOnTheOrderOfCandidates(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		src := &fakeSource{}
		for i := range rapid.IntRange(2, 30).Draw(t, "n") {
			src.add(string(idf("m%02d", i)), float64(rapid.IntRange(0, 20).Draw(t, "similarity"))/20, string(idf("Subject%d", i)),
				created(now.AddDate(0, 0, -rapid.IntRange(0, 40).Draw(t, "days"))), tier(rapid.SampledFrom(memory.Tiers[:3]).Draw(t, "tier")))
		}
		preset := rapid.SampledFrom([]string{recall.PresetBalanced, recall.PresetPRD}).Draw(t, "preset")
		r := newRecaller(src, func(s *recall.Settings) { s.Preset = preset })
		first, err := r.Search(context.Background(), now, recall.SearchOptions{Text: "x1", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		src.memories = rapid.Permutation(src.memories).Draw(t, "another order")
		second, _ := r.Search(context.Background(), now, recall.SearchOptions{Text: "x1", Limit: 50})
		for i, h := range first.Hits {
			if second.Hits[i].ID != h.ID {
				t.Fatalf("%v and then %v", ids(first.Hits), ids(second.Hits))
			}
		}
	})
}

func TestOnlyNearEqualsAreOrderedByRecency(t *testing.T) {
	old := created(now.AddDate(-2, 0, 0))
	for _, tt := range []struct {
		name    string
		fusion  string
		signals [2]memory.Signals // of the better and the newer memory
		scores  [2]float64        // of both lanes
		want    []memory.ID
	}{
		{name: "similarities 0.025 apart", fusion: recall.FusionWeighted, scores: [2]float64{0.7, 0.675}, want: []memory.ID{"newer", "better"}},
		{name: "similarities 0.035 apart", fusion: recall.FusionWeighted, scores: [2]float64{0.7, 0.665}, want: []memory.ID{"better", "newer"}},
		{name: "sums of signals 0.17 apart", fusion: recall.FusionRanking, // a cosine weighs 5.7
			signals: [2]memory.Signals{{Context: 1, Coverage: 1, Cosine: 0.5}, {Context: 1, Coverage: 1, Cosine: 0.47}}, want: []memory.ID{"newer", "better"}},
		{name: "sums of signals 0.23 apart", fusion: recall.FusionRanking,
			signals: [2]memory.Signals{{Context: 1, Coverage: 1, Cosine: 0.5}, {Context: 1, Coverage: 1, Cosine: 0.46}}, want: []memory.ID{"better", "newer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("better", tt.scores[0], "Alpha", old)
			src.add("newer", tt.scores[1], "Bravo")
			if tt.fusion == recall.FusionRanking {
				src.addSignals("better", tt.signals[0])
				src.addSignals("newer", tt.signals[1])
			}
			r := newRecaller(src, func(s *recall.Settings) { s.Fusion = tt.fusion })
			wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: "harbour"}).Hits, tt.want...)
		})
	}
}
