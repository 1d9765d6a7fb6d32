package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/chart"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) statsCommand() *cobra.Command {
	var plot bool
	var svg string
	c := &cobra.Command{
		Use:   "stats",
		Short: "count the memories of the workspace, and draw them over time",
		Long: `stats counts the memories by tier, type, category, age and more, and what is
unknown of them. --plot draws the tiers over time and the memories by age. The tiers
of the past come from the audit; what it does not have is missing in the plot.`,
		Example: "  memory stats\n  memory stats --plot\n  memory stats --svg memories.svg",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if plot || svg != "" {
				return a.plotStats(c.Context(), plot, svg)
			}
			return askIndex(c.Context(), a, readsIndex, func(s *session) (memory.Stats, error) {
				return s.Stats(c.Context(), memory.StatsRequest{Workspace: s.Workspace})
			}, func(w io.Writer, stats memory.Stats) error {
				a.noteIndexing(stats.Indexing)
				return printStats(w, stats)
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&plot, "plot", false, "draw the tiers over time and the memories by age")
	flags.StringVar(&svg, "svg", "", "write the plot to this SVG `file`")
	if err := c.MarkFlagFilename("svg", "svg"); err != nil {
		panic(err) // a bug in the command table
	}
	return c
}

func printStats(w io.Writer, stats memory.Stats) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
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
	fmt.Fprintf(table, "last index\t%s\n", display.TimeOrNever(stats.LastIndex))
	fmt.Fprintf(table, "last sweep\t%s\n", display.TimeOrNever(stats.LastDecayRun))
	return table.Flush()
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

// plotStats draws the tiers over time and the memories by age, on the terminal and to a
// file.
func (a *app) plotStats(ctx context.Context, draw bool, svg string) error {
	var c chart.Chart
	err := a.withSession(ctx, readsIndex, func(s *session) error {
		stats, err := s.Stats(ctx, memory.StatsRequest{Workspace: s.Workspace})
		if err != nil {
			return err
		}
		c.Workspace, c.Ages = stats.Workspace, stats.Ages
		c.History, err = s.TierHistory(ctx, memory.StatsRequest{Workspace: s.Workspace})
		return err
	})
	if err != nil {
		return err
	}
	if svg != "" {
		if err := os.WriteFile(svg, []byte(c.SVG(c.Workspace)), 0o644); err != nil {
			return memory.Unavailable(err, "write the plot")
		}
		if !draw && !a.json {
			_, err := fmt.Fprintf(a.out, "wrote %s\n", svg)
			return err
		}
	}
	return a.printAnswer(c, func(w io.Writer) error {
		var drawn strings.Builder
		err := c.Draw(&drawn, a.width, a.hasColour())
		_, failed := io.WriteString(w, a.colours.Mark(drawn.String()))
		return errors.Join(err, failed)
	})
}
