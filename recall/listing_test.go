package recall_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// TestListedHitsFall lists random hits, of which some supersede others in chains. The percentages
// fall, and no memory is above the one that replaced it.
func TestListedHitsFall(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		ranked := make([]memory.Hit, rapid.IntRange(0, 12).Draw(t, "n"))
		for i := range ranked {
			h := &ranked[i]
			h.ID, h.Similarity = memory.ID(fmt.Sprint(i)), rapid.Float64Range(0, 1).Draw(t, "similarity")
			if by := rapid.IntRange(0, 30).Draw(t, "by"); by < i {
				id := memory.ID(fmt.Sprint(by))
				h.SupersededBy = &id
			}
		}
		order := rapid.Permutation(ranked).Draw(t, "order")
		list := recall.Listing(order, false)
		for i, h := range list {
			if i > 0 && math.Round(100*h.Similarity) > math.Round(100*list[i-1].Similarity) {
				t.Fatalf("%v after %v", h.Similarity, list[i-1].Similarity)
			}
			if h.SupersededBy != nil && slices.ContainsFunc(list[i:], func(s memory.Hit) bool { return s.ID == *h.SupersededBy }) {
				t.Fatalf("%s is above %s, which replaced it", h.ID, *h.SupersededBy)
			}
		}
	})
}

func TestLoopOfSuccessorsEnds(t *testing.T) {
	a, b := memory.ID("a"), memory.ID("b")
	hits := []memory.Hit{{Memory: memory.Memory{ID: a, SupersededBy: &b}, Similarity: 0.5}, {Memory: memory.Memory{ID: b, SupersededBy: &a}, Similarity: 0.4}}
	if list := recall.Listing(hits, false); len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

func TestHitsThatHaveNothingToDoWithTheQuestionAreCut(t *testing.T) {
	for _, tt := range []struct {
		similarities []float64
		want         int
	}{
		{[]float64{0.9, 0.02, 0.004}, 2},
		{[]float64{0.03, 0.01, 0.004}, 3}, // a question in other words: nothing stands out
		{[]float64{0, 0}, 2},              // nothing is known
		{nil, 0},
	} {
		var hits []memory.Hit
		for i, s := range tt.similarities {
			hits = append(hits, memory.Hit{Memory: memory.Memory{ID: memory.ID(fmt.Sprint(i))}, Similarity: s})
		}
		if list := recall.Listing(hits, false); len(list) != tt.want {
			t.Errorf("%v: %d hits, want %d", tt.similarities, len(list), tt.want)
		}
	}
}
