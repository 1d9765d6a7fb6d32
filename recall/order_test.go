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
	t.Run("rrf: the ranks decide, not the scores", func(t *testing.T) {
		src := build()
		src.text = map[memory.ID]float64{"fresh": 0.2, "right": 0.1}
		src.vector = map[memory.ID]float64{"fresh": 0.2, "right": 0.19, "newer": 0.18}
		rrf := newRecaller(src, func(s *recall.Settings) { s.Fusion = recall.FusionRRF })
		if got := ids(mustSearch(t, rrf, recall.SearchOptions{Text: "x1"}).Hits); got[0] != "fresh" {
			t.Errorf("got %v", got)
		}
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
			src.addSignals("better", tt.signals[0])
			src.addSignals("newer", tt.signals[1])
			r := newRecaller(src, func(s *recall.Settings) { s.Fusion = tt.fusion })
			wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: "harbour"}).Hits, tt.want...)
		})
	}
}

// TestReciprocalRankFusionBalancesTheLanes compares the first of the vector lane
// with the first of the keyword lane. The weights are 0.7 and 0.3. The constant of
// the formula decides which of them wins: it must be between 40 and 79.
func TestReciprocalRankFusionBalancesTheLanes(t *testing.T) {
	for _, tt := range []struct {
		name          string
		vectorRank    int // of the first in the keyword lane
		textRank      int // of the first in the vector lane
		first, second memory.ID
	}{
		{"ranks 1 and 6 against 3 and 1", 3, 6, "keyword", "vector"},
		{"ranks 1 and 11 against 5 and 1", 5, 11, "vector", "keyword"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{text: map[memory.ID]float64{}, vector: map[memory.ID]float64{}}
			src.add("vector", 0, "Alpha")
			src.add("keyword", 0, "Bravo")
			fill := func(lane map[memory.ID]float64, step float64, ids []memory.ID) {
				for i, id := range ids {
					if id == "" {
						id = src.add(string(idf("filler%02d", len(src.memories))), 0, string(idf("Subject%d", len(src.memories)))).ID
						delete(src.text, id)
						delete(src.vector, id)
					}
					lane[id] = 0.9 - step*float64(i)
				}
			}
			vectorLane := make([]memory.ID, tt.vectorRank)
			vectorLane[0], vectorLane[tt.vectorRank-1] = "vector", "keyword"
			textLane := make([]memory.ID, tt.textRank)
			textLane[0], textLane[tt.textRank-1] = "keyword", "vector"
			fill(src.vector, 0.15, vectorLane) // similarities too far apart for recency to decide
			fill(src.text, 0.05, textLane)
			r := newRecaller(src, func(s *recall.Settings) { s.Fusion = recall.FusionRRF })
			_, trace := mustRecall(t, r, recall.Prompt{Text: "x1"})
			position := map[memory.ID]int{}
			for i, h := range trace.FusedTop {
				position[h.ID] = i + 1
			}
			if a, b := position[tt.first], position[tt.second]; a == 0 || b == 0 || a > b {
				t.Errorf("%s is at %d, %s at %d", tt.first, a, tt.second, b)
			}
		})
	}
}
