package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/chart"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// printBreakdown prints one row for each way to count the memories.
func printBreakdown(w io.Writer, stats memory.Stats) {
	unknown := func(name string) string {
		if stats.Total == 0 {
			return ""
		}
		return fmt.Sprintf(" (%.0f%% unknown)", 100*stats.Unknown[name])
	}
	row := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	row("categories", countsText(stats.Categories)+unknown("category"))
	row("scopes", countsText(stats.Scopes)+unknown("scope"))
	row("labels", countsText(stats.ImportanceLabels)+unknown("importance_label"))
	row("languages", unknown("lang"))
	row("sources", countsText(stats.Sources))
	row("trust", countsText(stats.TrustTiers))
	row("ages", agesText(stats.Ages))
	row("uses", usesText(stats.UsesByDay))
}

// countsText lists the counts that are not zero, the largest first.
func countsText[W ~string](counts map[W]int) string {
	words := slices.Collect(maps.Keys(counts))
	slices.SortFunc(words, func(a, b W) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, w := range words {
		if counts[w] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", display.Name(string(w)), counts[w]))
		}
	}
	return strings.Join(parts, ", ")
}

func agesText(ages []memory.AgeCount) string {
	var parts []string
	for _, a := range ages {
		if a.Count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", chart.AgeName(a), a.Count))
		}
	}
	return strings.Join(parts, ", ")
}

// shownUses is the number of days whose uses are printed: a week.
const shownUses = 7

func usesText(days []memory.DayUses) string {
	var parts []string
	for _, d := range days[max(0, len(days)-shownUses):] {
		parts = append(parts, fmt.Sprintf("%s: %d", d.Day, d.Uses))
	}
	return strings.Join(parts, ", ")
}
