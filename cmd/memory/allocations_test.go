package main

import (
	"math"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// maxRecallAllocations and maxSearchAllocations bound the allocations of a question to the
// examples-workspace, on average. They are 5 % above what was measured.
const (
	maxRecallAllocations = 1800
	maxSearchAllocations = 1420
)

// TestAllocationsOfAQuestionAreFew asks every golden query, with the index in memory.
func TestAllocationsOfAQuestionAreFew(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates too")
	}
	m, no := openGolden(t, goldenSets[0], "MEMORY_EMBEDDING_LOCAL_QUALITY=fast"), false
	const asOf = "2026-11-20" // some questions ask about "last week"
	recall := func(query string) {
		_, err := m.Recall(t.Context(), memory.RecallRequest{Workspace: m.Workspace, Prompt: query, Record: &no, AsOf: asOf})
		must.Do(t, err)
	}
	search := func(query string) {
		_, err := m.Search(t.Context(), memory.SearchRequest{Workspace: m.Workspace, Query: query, AsOf: asOf})
		must.Do(t, err)
	}
	for _, tt := range []struct {
		name string
		ask  func(query string)
		most float64
	}{{"recall", recall, maxRecallAllocations}, {"search", search, maxSearchAllocations}} {
		askAll := func() {
			for _, g := range m.all {
				tt.ask(g.Query)
			}
		}
		askAll() // the first answers load the index
		least := math.Inf(1)
		for range 5 { // a collection of garbage empties the pools
			least = min(least, testing.AllocsPerRun(1, askAll)/float64(len(m.all)))
		}
		if stats, err := m.Stats(t.Context(), memory.StatsRequest{Workspace: m.Workspace}); err != nil || !stats.InMemory.Loaded {
			t.Fatalf("the index is not in memory: %+v, %v", stats, err)
		}
		if least > tt.most {
			t.Errorf("a %s allocates %.0f times, want at most %.0f", tt.name, least, tt.most)
		}
	}
}
