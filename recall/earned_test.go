package recall_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func earned(hits []memory.Hit) (ids []string) {
	for _, h := range hits {
		if h.Earned {
			ids = append(ids, string(h.ID))
		}
	}
	slices.Sort(ids)
	return ids
}

// Two of four places are for WARM memories. One of these has its place only because
// it is WARM.
func TestPlaceThatATierGivesIsNotEarned(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.90, "Alpha", tier(memory.TierCold))
	src.add("b", 0.85, "Bravo", tier(memory.TierCold))
	src.add("c", 0.80, "Charlie", tier(memory.TierCold))
	src.add("w", 0.70, "Whiskey", tier(memory.TierWarm))
	src.add("z", 0.40, "Zulu", tier(memory.TierWarm))
	r := newRecaller(src, func(s *recall.Settings) { s.MaxItems, s.Budgets = 4, recall.Budgets{Warm: 50} })
	answer, _, err := r.Recall(t.Context(), now, recall.Prompt{Text: "x1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(answer.Hits); len(got) != 4 || !slices.Contains(got, "z") {
		t.Fatalf("the block has %v", got)
	}
	if got := earned(answer.Hits); !slices.Equal(got, []string{"a", "b", "w"}) {
		t.Errorf("%v earned their place", got)
	}
}

// Two memories are nearly equal. The one with more uses is delivered; the other one
// would have been.
func TestPlaceThatUsesGiveIsNotEarned(t *testing.T) {
	src := &fakeSource{}
	src.add("new", 0.70, "Alpha")
	src.add("popular", 0.69, "Bravo", func(m *memory.Memory) { m.UseCount = 100 })
	r := newRecaller(src)
	hits := mustSearch(t, r, recall.SearchOptions{Text: "x1", Limit: 1}).Hits
	if wantIDs(t, hits, "popular"); len(earned(hits)) != 0 {
		t.Error("it earned its place")
	}
	if hits := mustSearch(t, r, recall.SearchOptions{Text: "x1"}).Hits; len(earned(hits)) != 2 {
		t.Errorf("with room for both, %v earned theirs", earned(hits))
	}
}

func TestHitBelowTheFloorIsNotEarned(t *testing.T) {
	src := &fakeSource{}
	src.add("near", 0.70, "Alpha")
	src.add("far", 0.10, "Bravo")
	if hits := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1"}).Hits; len(hits) != 2 || !slices.Equal(earned(hits), []string{"near"}) {
		t.Errorf("%v of %v earned their place", earned(hits), ids(hits))
	}
}

func TestUnlikelyAnswerDoesNotEarnItsInjection(t *testing.T) {
	src := &fakeSource{}
	src.add("likely", 0.51, "Alpha")
	src.add("unlikely", 0.49, "Bravo")
	answer, _, err := newRecaller(src).Recall(t.Context(), now, recall.Prompt{Text: "x1"})
	if err != nil || len(answer.Hits) != 2 || !slices.Equal(earned(answer.Hits), []string{"likely"}) {
		t.Errorf("%v of %v earned their place, %v", earned(answer.Hits), ids(answer.Hits), err)
	}
}
