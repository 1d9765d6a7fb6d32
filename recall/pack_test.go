package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall"
)

// addMany adds n memories with similarities that fall from a given one.
func addMany(src *fakeSource, name string, n int, similarity float64, change ...func(*memory.Memory)) {
	for i := range n {
		src.add(string(idf("%s%02d", name, i)), similarity-float64(i)*0.001, string(idf("Subject-%s%d", name, i)), change...)
	}
}

// countByPrefix counts hits by their ids without the digits.
func countByPrefix(hits []memory.Hit) map[string]int {
	n := map[string]int{}
	for _, h := range hits {
		n[strings.TrimRight(string(h.ID), "0123456789")]++
	}
	return n
}

func TestLabelledMemoriesGetUnusedPlacesFirst(t *testing.T) {
	for _, tt := range []struct {
		name       string
		warm       int
		similarity float64
		want       map[string]int
	}{
		{"too few places for all", 40, 0.5, map[string]int{"warm": 14, "must": 3, "nice": 3}},
		{"enough places for all", 10, 0.5, map[string]int{"warm": 10, "must": 3, "nice": 3}},
		{"labelled memories that do not answer the question", 40, 0.1, map[string]int{"warm": 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			addMany(src, "warm", tt.warm, 0.9)
			addMany(src, "must", 3, tt.similarity, label(memory.ImportanceMustRemember))
			addMany(src, "nice", 3, tt.similarity, label(memory.ImportanceNiceToHave))
			got, _ := mustRecall(t, newRecaller(src, func(s *recall.Settings) { s.Floor = 0 }), recall.Prompt{Text: "x1", MaxTokens: ptr(100_000)})
			if n := countByPrefix(got.Hits); !equal(n, tt.want) {
				t.Errorf("got %v, want %v", n, tt.want)
			}
		})
	}
}

// TestOrderDecidesIfTheTokensEndFirst has enough places for all that the tokens allow, so
// that the better COLD memories are chosen.
func TestOrderDecidesIfTheTokensEndFirst(t *testing.T) {
	src := &fakeSource{}
	addMany(src, "cold", 16, 0.95, tier(memory.TierCold))
	addMany(src, "warm", 30, 0.85)
	addMany(src, "hot", 30, 0.75, tier(memory.TierHot))
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1", MaxTokens: ptr(150)})
	if n := countByPrefix(got.Hits); n["cold"] < 7 || n["cold"] != len(got.Hits) {
		t.Errorf("got %v, want COLD memories alone", n)
	}
	for _, r := range trace.Rejections {
		if r.Reason == recall.RejectedTierBudget {
			t.Fatalf("%s was left out because of its tier", r.ID)
		}
	}
}

func TestPlacesAreDividedAmongTheTiers(t *testing.T) {
	full := func() *fakeSource {
		src := &fakeSource{}
		addMany(src, "hot", 30, 0.95, tier(memory.TierHot))
		addMany(src, "warm", 30, 0.8)
		addMany(src, "cold", 30, 0.7, tier(memory.TierCold))
		addMany(src, "pin", 30, 0.6, pinned)
		return src
	}
	for _, tt := range []struct {
		name  string
		src   *fakeSource
		items int
		want  map[string]int
	}{
		{"all budgets", full(), 20, map[string]int{"pin": 5, "hot": 9, "warm": 5, "cold": 1}},
		{"the remainder goes to the best", full(), 5, map[string]int{"pin": 1, "hot": 3, "warm": 1}},
		{"one place", full(), 1, map[string]int{"hot": 1}},
		{"unused places go to the best of the others", func() *fakeSource {
			src := &fakeSource{}
			addMany(src, "hot", 2, 0.6, tier(memory.TierHot))
			addMany(src, "cold", 40, 0.9, tier(memory.TierCold))
			addMany(src, "warm", 40, 0.5)
			return src
		}(), 20, map[string]int{"hot": 2, "warm": 5, "cold": 13}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, trace := mustRecall(t, newRecaller(tt.src), recall.Prompt{Text: "x1", MaxItems: &tt.items, MaxTokens: ptr(100_000)})
			if n := countByPrefix(got.Hits); !equal(n, tt.want) {
				t.Errorf("got %v, want %v", n, tt.want)
			}
			if len(trace.Rejections) == 0 || trace.Rejections[0].Reason != recall.RejectedTierBudget {
				t.Errorf("rejections %+v, want %s first", trace.Rejections, recall.RejectedTierBudget)
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

func TestTextThatDoesNotFitLeavesItsPlaceToTheNext(t *testing.T) {
	src := &fakeSource{}
	src.add("first", 0.9, "Alpha")
	src.add("long", 0.8, "Bravo "+strings.Repeat("tide ", 55))
	src.add("last", 0.5, "Charlie")
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1", MaxItems: ptr(2), MaxTokens: ptr(100)})
	wantIDs(t, got.Hits, "first", "last")
	if r, _ := trace.Rejection("long"); r.Reason != recall.RejectedTokenBudget {
		t.Errorf("long: rejection %+v, want %s", r, recall.RejectedTokenBudget)
	}
}

// TestPackingKeepsItsBudgets packs random memories and checks the block against the
// budgets, without the steps of the algorithm.
func TestPackingKeepsItsBudgets(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		src := &fakeSource{}
		n := rapid.IntRange(0, 60).Draw(t, "memories")
		for i := range n {
			size := rapid.IntRange(1, 120).Draw(t, "size")
			src.add(string(idf("m%02d", i)), float64(n-i)/float64(n)*0.6+0.35, string(idf("S%d ", i))+strings.Repeat("x", size),
				tier(rapid.SampledFrom(memory.Tiers).Draw(t, "tier")),
				func(m *memory.Memory) { m.Pinned = rapid.IntRange(0, 4).Draw(t, "pinned") == 0 })
		}
		items, tokens := rapid.IntRange(1, 30).Draw(t, "items"), rapid.IntRange(1, 900).Draw(t, "tokens")
		current := &memory.Context{Text: strings.Repeat("c", rapid.IntRange(0, 100).Draw(t, "context"))}
		got, trace, err := newRecaller(src).Recall(context.Background(), now, recall.Prompt{Text: "x1", MaxItems: &items, MaxTokens: &tokens, Context: current, Traced: true})
		if err != nil {
			t.Fatal(err)
		}
		checkBudgets(t, got, trace, items, tokens)
		if len(got.Hits)+len(trace.Rejections) != countInjectable(src) {
			t.Fatalf("%d hits and %d rejections of %d memories", len(got.Hits), len(trace.Rejections), countInjectable(src))
		}
		checkUnplaced(t, src, got.Hits, trace, items)
	})
}

func countInjectable(src *fakeSource) (n int) {
	for _, m := range src.memories {
		if m.Tier != memory.TierArchive {
			n++
		}
	}
	return n
}

func checkBudgets(t *rapid.T, got memory.RecallAnswer, trace recall.Trace, items, tokens int) {
	if len(got.Hits) > items || len(got.Hits) > 0 && (got.Tokens > tokens || len(got.Context) > 4*tokens) {
		t.Fatalf("the block has %d memories of at most %d, and %d tokens of at most %d", len(got.Hits), items, got.Tokens, tokens)
	}
	for _, h := range got.Hits {
		if h.Tier == memory.TierArchive {
			t.Fatal("an archived memory is in the block")
		}
	}
	for _, r := range trace.Rejections {
		if r.Reason == recall.RejectedTierBudget && len(got.Hits) < items {
			t.Fatalf("%s has no place although only %d of %d are taken", r.ID, len(got.Hits), items)
		}
	}
}

// checkUnplaced fails for a memory without a place if the quota of its kind is not
// used up. It also fails if worse memories of another kind exceed their quota.
func checkUnplaced(t *rapid.T, src *fakeSource, hits []memory.Hit, trace recall.Trace, items int) {
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
	for _, r := range trace.Rejections {
		skipped = skipped || r.Reason == recall.RejectedTokenBudget
	}
	for _, r := range trace.Rejections {
		unplaced := src.memories[slices.IndexFunc(src.memories, func(m memory.Memory) bool { return m.ID == r.ID })]
		if r.Reason != recall.RejectedTierBudget {
			continue
		}
		if !skipped && taken[kind(unplaced)] < places[kind(unplaced)] {
			t.Fatalf("%s has no place although %s has %d of %d places", r.ID, kind(unplaced), taken[kind(unplaced)], places[kind(unplaced)])
		}
		for _, h := range hits {
			worse := src.text[h.ID] < src.text[unplaced.ID]-0.05
			if worse && !skipped && taken[kind(h.Memory)] > places[kind(h.Memory)] {
				t.Fatalf("%s has no place, but %s is worse and beyond the places of its kind", unplaced.ID, h.ID)
			}
		}
	}
}
