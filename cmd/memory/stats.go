package main

import (
	"fmt"
	"io"

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
		fmt.Fprintf(table, "pinned\t%d\nforgotten\t%d\nmissing\t%d\n", stats.Pinned, stats.Forgotten, stats.Missing)
		fmt.Fprintf(table, "index\t%s on disk; the process uses %s of memory\n", display.Size(stats.DBBytes), display.Size(stats.MemoryBytes))
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
