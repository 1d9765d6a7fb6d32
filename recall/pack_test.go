package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// crowd fills a world with n memories of a kind, the first the most similar.
func crowd(w *world, name string, n int, from float64, change ...func(*memory.Memory)) {
	for i := range n {
		w.add(string(id("%s%02d", name, i)), from-float64(i)*0.001, string(id("Subject-%s%d", name, i)), change...)
	}
}

func numberValues(hits []memory.Hit) map[string]int {
	n := map[string]int{}
	for _, h := range hits {
		n[strings.TrimRight(string(h.ID), "0123456789")]++
	}
	return n
}

func TestLabelledMemoriesGetTheFreePlacesFirst(t *testing.T) {
	for _, tt := range []struct {
		name       string
		warm       int
		similarity float64
		want       map[string]int
	}{
		{"where there is not room for all", 40, 0.5, map[string]int{"warm": 14, "must": 3, "nice": 3}},
		{"and nobody's place where there is", 10, 0.5, map[string]int{"warm": 10, "must": 3, "nice": 3}},
		{"but not what has little to do with the question", 40, 0.1, map[string]int{"warm": 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			crowd(w, "warm", tt.warm, 0.9)
			crowd(w, "must", 3, tt.similarity, label(memory.ImportanceMustRemember))
			crowd(w, "nice", 3, tt.similarity, label(memory.ImportanceNiceToHave))
			got, _ := inject(t, recaller(w, func(s *recall.Settings) { s.Floor = 0 }), recall.Prompt{Text: "x1", MaxTokens: ptr(100_000)})
			if n := numberValues(got.Hits); !equal(n, tt.want) {
				t.Errorf("got %v, want %v", n, tt.want)
			}
		})
	}
}

func TestPlacesAreSplitAmongTheTiers(t *testing.T) {
	full := func() *world {
		w := &world{}
		crowd(w, "hot", 30, 0.95, tier(memory.TierHot))
		crowd(w, "warm", 30, 0.8)
		crowd(w, "cold", 30, 0.7, tier(memory.TierCold))
		crowd(w, "pin", 30, 0.6, pinned)
		return w
	}
	for _, tt := range []struct {
		name  string
		world *world
		items int
		want  map[string]int
	}{
		{"the whole", full(), 20, map[string]int{"pin": 5, "hot": 9, "warm": 5, "cold": 1}},
		{"the remainder to the best", full(), 5, map[string]int{"pin": 1, "hot": 3, "warm": 1}},
		{"one place", full(), 1, map[string]int{"hot": 1}},
		{"unused places to the best of the others", func() *world {
			w := &world{}
			crowd(w, "hot", 2, 0.6, tier(memory.TierHot))
			crowd(w, "cold", 40, 0.9, tier(memory.TierCold))
			crowd(w, "warm", 40, 0.5)
			return w
		}(), 20, map[string]int{"hot": 2, "warm": 5, "cold": 13}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, trace := inject(t, recaller(tt.world), recall.Prompt{Text: "x1", MaxItems: &tt.items, MaxTokens: ptr(100_000)})
			if n := numberValues(got.Hits); !equal(n, tt.want) {
				t.Errorf("got %v, want %v", n, tt.want)
			}
			if len(trace.Rejections) == 0 || trace.Rejections[0].Reason != recall.RejectedTierBudget {
				t.Errorf("left %+v", trace.Rejections)
			}
		})
	}
}

func equal(a, b map[string]int) bool {
	for k := range b {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestWhatDoesNotFitIsSkippedAndItsPlaceGoesOn(t *testing.T) {
	w := &world{}
	w.add("first", 0.9, "Alpha")
	w.add("long", 0.8, "Bravo "+strings.Repeat("tide ", 200))
	w.add("last", 0.5, "Charlie")
	got, trace := inject(t, recaller(w), recall.Prompt{Text: "x1", MaxItems: ptr(2), MaxTokens: ptr(100)})
	wantIDs(t, got.Hits, "first", "last")
	if left, _ := trace.Rejection("long"); left.Reason != recall.RejectedTokenBudget {
		t.Errorf("long: %+v", left)
	}
}

// TestPackingKeepsItsRule packs random worlds and holds the block against the
// rule, said in other words.
func TestPackingKeepsItsRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		n := rapid.IntRange(0, 60).Draw(t, "memories")
		for i := range n {
			size := rapid.IntRange(1, 120).Draw(t, "size")
			w.add(string(id("m%02d", i)), float64(n-i)/float64(n)*0.6+0.35, string(id("S%d ", i))+strings.Repeat("x", size),
				tier(rapid.SampledFrom(memory.Tiers).Draw(t, "tier")),
				func(m *memory.Memory) { m.Pinned = rapid.IntRange(0, 4).Draw(t, "pinned") == 0 })
		}
		items, tokens := rapid.IntRange(1, 30).Draw(t, "items"), rapid.IntRange(1, 900).Draw(t, "tokens")
		slot := &memory.Context{Text: strings.Repeat("c", rapid.IntRange(0, 100).Draw(t, "context"))}
		got, trace, err := recaller(w).Recall(context.Background(), now, recall.Prompt{Text: "x1", MaxItems: &items, MaxTokens: &tokens, Context: slot})
		if err != nil {
			t.Fatal(err)
		}
		checkBudgets(t, got, trace, items, tokens)
		if len(got.Hits)+len(trace.Rejections) != visible(w) {
			t.Fatalf("%d hits, %d left of %d", len(got.Hits), len(trace.Rejections), visible(w))
		}
		checkOthers(t, w, got.Hits, trace, items)
	})
}

func visible(w *world) (n int) {
	for _, m := range w.memories {
		if m.Tier != memory.TierArchive {
			n++
		}
	}
	return n
}

func checkBudgets(t *rapid.T, got memory.RecallAnswer, trace recall.Trace, items, tokens int) {
	if len(got.Hits) > items || len(got.Hits) > 0 && (got.Tokens > tokens || len(got.Context) > 4*tokens) {
		t.Fatalf("%d of %d memories, %d of %d tokens", len(got.Hits), items, got.Tokens, tokens)
	}
	for _, h := range got.Hits {
		if h.Tier == memory.TierArchive {
			t.Fatal("an archived memory is in the block")
		}
	}
	for _, l := range trace.Rejections {
		if l.Reason == recall.RejectedTierBudget && len(got.Hits) < items {
			t.Fatalf("%s waits for a place while %d of %d are taken", l.ID, len(got.Hits), items)
		}
	}
}

// checkOthers finds a memory that waits although its kind has not got its
// places, or although worse ones of other kinds got places beyond theirs.
func checkOthers(t *rapid.T, w *world, hits []memory.Hit, trace recall.Trace, items int) {
	kind := func(m memory.Memory) string {
		if m.Pinned {
			return "pinned"
		}
		return string(m.Tier)
	}
	places := map[string]int{"pinned": items * 25 / 100, "HOT": items * 45 / 100, "WARM": items * 25 / 100, "COLD": items * 5 / 100}
	taken, skipped := map[string]int{}, false
	for _, h := range hits {
		taken[kind(h.Memory)]++
	}
	for _, l := range trace.Rejections {
		skipped = skipped || l.Reason == recall.RejectedTokenBudget
	}
	for _, l := range trace.Rejections {
		waits := w.memories[slices.IndexFunc(w.memories, func(m memory.Memory) bool { return m.ID == l.ID })]
		if l.Reason != recall.RejectedTierBudget {
			continue
		}
		if !skipped && taken[kind(waits)] < places[kind(waits)] {
			t.Fatalf("%s waits though %s has %d of %d places", l.ID, kind(waits), taken[kind(waits)], places[kind(waits)])
		}
		for _, h := range hits {
			worse := w.text[h.ID] < w.text[waits.ID]-0.05
			if worse && !skipped && taken[kind(h.Memory)] > places[kind(h.Memory)] {
				t.Fatalf("%s waits, %s is worse and beyond its kind's places", waits.ID, h.ID)
			}
		}
	}
}
