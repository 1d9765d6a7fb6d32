package engine_test

import (
	"maps"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestStatsCountByAttributes(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md":            "- Deploys go out on Fridays <!-- scope: work; category: decision; importance_label: must_remember -->\n- Ada has the key <!-- trust: untrusted -->\n",
		"memory/2026-11-18.md": "- The ferry leaves at nine\n",
		"memory/2025-01-02.md": "- The harbour opens in May\n",
	})
	c.tell("s", "1", "I prefer tabs over spaces in Go.")
	c.use("s", "When does the ferry leave?")
	stats, err := c.Stats(t.Context(), memory.StatsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		got, want int
	}{
		{"scope work", stats.Scopes["work"], 1}, {"scopes", len(stats.Scopes), 1},
		{"decisions", stats.Categories[memory.CategoryDecision], 1}, {"preferences", stats.Categories[memory.CategoryPreference], 1},
		{"must remember", stats.ImportanceLabels[memory.ImportanceMustRemember], 1}, {"no label", stats.ImportanceLabels[memory.ImportanceUnknown], 4},
		{"files", stats.Sources[memory.SourceFile], 4}, {"captured", stats.Sources[memory.SourceAutoCapture], 1},
		{"untrusted", stats.TrustTiers[memory.TrustUntrusted], 1}, {"trusted", stats.TrustTiers[memory.TrustTrusted], 4},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, tt.got, tt.want)
		}
	}
	ages, total := map[string]int{}, 0
	for _, age := range stats.Ages {
		ages[age.Age] = age.Count
		total += age.Count
	}
	if want := map[string]int{"day": 3, "week": 1, "month": 0, "quarter": 0, "year": 0, "older": 1}; !maps.Equal(ages, want) || total != stats.Total {
		t.Errorf("ages %v, want %v of %d", ages, want, stats.Total)
	}
	if u := stats.Unknown; u["scope"] != 0.8 || u["importance_label"] != 0.8 || len(u) != 4 {
		t.Errorf("unknown %v", u)
	}
	if stats.Sizes.TextBytes < 100 || stats.Sizes.FileBytes <= stats.Sizes.TextBytes || stats.Sizes.VectorBytes == 0 {
		t.Errorf("sizes %+v", stats.Sizes)
	}
	if err := c.FlushUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats, err = c.Stats(t.Context(), memory.StatsRequest{}); err != nil || len(stats.UsesByDay) != 1 || stats.UsesByDay[0].Day != "2026-11-21" || stats.UsesByDay[0].Uses == 0 {
		t.Errorf("uses %+v, %v", stats.UsesByDay, err)
	}
}
