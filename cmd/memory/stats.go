package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) statsCommand() *cobra.Command {
	var r memory.StatsRequest
	return question(a, "stats", arguments{}, api.Backend.Stats, &r, &r.Workspace, a.printStats)
}

func (a *app) printStats(w io.Writer, stats memory.Stats) {
	a.noteGaps(0, stats.Indexing, false)
	display.Columns(w, 0, func(table io.Writer) {
		fmt.Fprintf(table, "workspace\t%s\n", stats.Workspace)
		fmt.Fprintf(table, "memories\t%d in %d files\n", stats.Total, stats.Files)
		for _, tier := range memory.Tiers {
			fmt.Fprintf(table, "  %s\t%d\n", tier, stats.Tiers[tier])
		}
		for _, kind := range memory.Types {
			fmt.Fprintf(table, "  %s\t%d\n", kind, stats.Types[kind])
		}
		printBreakdown(table, stats)
		fmt.Fprintf(table, "pinned\t%d\nforgotten\t%d\nmissing\t%d\n", stats.Pinned, stats.Forgotten, stats.Missing)
		fmt.Fprintf(table, "index\t%s on disk; the process uses %s of memory\n", display.Size(stats.DBBytes), display.Size(stats.MemoryBytes))
		size := stats.Sizes
		fmt.Fprintf(table, "sizes\ttexts %s, files %s, vectors %s, backup %s\n", display.Size(size.TextBytes), display.Size(size.FileBytes), display.Size(size.VectorBytes), display.Size(size.BackupBytes))
		fmt.Fprintf(table, "in memory\t%s\n", inMemoryText(stats.InMemory))
		fmt.Fprintf(table, "embedding\t%s\n", display.Embedding(stats.Embedding))
		if stats.Context != nil {
			fmt.Fprintf(table, "context\t%s (until %s)\n", display.Line(stats.Context.Text, 60), display.Time(stats.Context.ExpiresAt))
		}
		fmt.Fprintf(table, "last index\t%s\nlast sweep\t%s\n", display.TimeOrNever(stats.LastIndex), display.TimeOrNever(stats.LastDecayRun))
	})
}

func inMemoryText(m memory.InMemory) string {
	if !m.Loaded && m.Why == "" {
		return "not yet, the database answers"
	}
	if !m.Loaded {
		return "no, the database answers: " + m.Why
	}
	return display.Size(m.Bytes)
}

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
			parts = append(parts, fmt.Sprintf("%s %d", ageName(a), a.Count))
		}
	}
	return strings.Join(parts, ", ")
}

// ageName describes a group of ages.
func ageName(a memory.AgeCount) string {
	if a.Days == 0 {
		return a.Age
	}
	return "< " + a.Age
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
