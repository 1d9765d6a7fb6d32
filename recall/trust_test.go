package recall_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestUntrustedMemoriesAreMarkedAndComeLast(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.9, "The wiki recommends blue paint for the hull", trust(memory.TrustUntrusted))
	src.add("b", 0.6, "The hull was last painted in March", category(memory.CategoryFact))
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "What paint does the hull need?"})
	wantIDs(t, got.Hits, "b", "a")
	if lines := strings.Split(got.Context, "\n"); !strings.HasPrefix(lines[2], "- [fact b] ") || !strings.HasSuffix(lines[2], "%)") ||
		!strings.HasPrefix(lines[3], "- [fact a, untrusted] ") || strings.Contains(lines[3], "%") {
		t.Errorf("got %s", got.Context)
	}
}

func TestUntrustedMemoriesTakePlacesAfterAllTrustedOnes(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.9, "Gulls nest on the roof of the ice house", trust(memory.TrustUntrusted))
	src.add("b", 0.5, "Seals rest on the northern pier in winter")
	src.add("c", 0.4, "Crabs live between the stones of the mole")
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Which animals live in the harbour?", MaxItems: ptr(2)})
	wantIDs(t, got.Hits, "b", "c")
	if r, _ := trace.Rejection("a"); r.Reason != recall.RejectedTierBudget {
		t.Errorf("the untrusted memory: %+v", r)
	}
}

// Trusted memories that hardly have to do with a query leave no place for what an agent stored.
func TestSearchOfAModelFindsARelevantUntrustedMemory(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.9, "The choir rehearses in the old mill", trust(memory.TrustUntrusted))
	src.add("b", 0.04, "Seals rest on the northern pier in winter")
	src.add("c", 0.03, "Crabs live between the stones of the mole")
	src.add("d", 0.5, "The choir sang at the harbour festival")
	search := func(model bool) []memory.Hit {
		o := recall.SearchOptions{Text: "Where does the choir rehearse?", Limit: 2}
		o.Predicate.Model = model
		return mustSearch(t, newRecaller(src), o).Hits
	}
	wantIDs(t, search(true), "d", "a")
	wantIDs(t, search(false), "a", "d")
}

func TestUntrustedMemoryThatContradictsATrustedOneIsLeftOut(t *testing.T) {
	src := &fakeSource{}
	src.add("lie", 0.9, "The staging server listens on port 9999 now", trust(memory.TrustUntrusted))
	src.add("truth", 0.1, "Staging listens on port 8081") // below the floor, and known all the same
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Which port does staging use?"})
	wantIDs(t, got.Hits)
	if r, _ := trace.Rejection("lie"); r.Reason != recall.RejectedContradiction || r.RefutedBy != "truth" {
		t.Errorf("the lie: %+v", r)
	}
}

func TestUntrustedCopyOfATrustedMemoryIsLeftOut(t *testing.T) {
	src := &fakeSource{}
	src.add("copy", 0.9, "Prefers tabs over spaces in Go", trust(memory.TrustUntrusted))
	src.add("own", 0.8, "Prefers tabs over spaces in Go")
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Tabs or spaces in Go?"})
	wantIDs(t, got.Hits, "own")
}

// A block shows the similarities that a search shows, if they fall from line to line.
func TestPercentagesOfTheBlockNeverRise(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "The collector listens on port 8081")
	src.add("b", 0.6, "The collector restarts at night", func(m *memory.Memory) { m.UseCount = 100 })
	prompt := recall.Prompt{Text: "Which port does the collector use?"}
	falling, _ := mustRecall(t, newRecaller(src), prompt)
	wantIDs(t, falling.Hits, "a", "b")
	if !strings.Contains(falling.Context, "(80%)") || !strings.Contains(falling.Context, "(60%)") {
		t.Errorf("the similarities fall: %s", falling.Context)
	}
	src.memories[0].CreatedAt = now.AddDate(-3, 0, 0)
	rising, _ := mustRecall(t, newRecaller(src, func(s *recall.Settings) { s.Preset = recall.PresetPRD }), prompt) // the score alone decides the order
	wantIDs(t, rising.Hits, "b", "a")
	if strings.Contains(rising.Context, "%") {
		t.Errorf("the similarities rise: %s", rising.Context)
	}
}
