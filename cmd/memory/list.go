package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) listCommand() *cobra.Command {
	var r memory.ListRequest
	c := &cobra.Command{
		Use:   "list",
		Short: "list memories, or count them by tier",
		Long: `list counts memories by tier on a terminal. With a filter, with --json, or where
no terminal is, it lists them: all that are visible, unless --limit says less.
--forgotten, --missing and --pinned list only those.`,
		Example: `  memory list
  memory list --tier warm --sort use_count
  memory list --missing --json`,
		Args: arguments(0, 0, ""),
	}
	filterFlags(c, &r.Filter)
	limit := limitFlag(c, 0, "at most so many; 0: no limit")
	flags := c.Flags()
	flags.BoolVar(&r.Forgotten, "forgotten", false, "only forgotten ones")
	flags.BoolVar(&r.Pinned, "pinned", false, "only pinned ones")
	flags.BoolVar(&r.Missing, "missing", false, "only those whose text is gone")
	flags.StringVar(&r.Sort, "sort", "", "created_at, last_accessed_at, use_count or path")
	flags.IntVar(&r.Offset, "offset", 0, "leave out so many first")
	flags.StringVar(&r.AsOf, "as-of", "", "as if it were this `time` (RFC 3339 or a date)")
	words(c, "sort", []string{"created_at", "last_accessed_at", "use_count", "path"})
	c.RunE = func(c *cobra.Command, _ []string) error {
		filtered := false
		for _, name := range []string{"tier", "type", "category", "scope", "tag", "path", "since", "until",
			"forgotten", "pinned", "missing", "sort", "limit", "offset"} {
			filtered = filtered || c.Flags().Changed(name)
		}
		r.Limit = limit()
		return a.with(c.Context(), reads, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := everyMemory(c.Context(), s, r)
			if err != nil {
				return err
			}
			return a.answer(answer, func(w io.Writer) error {
				if answer.Stale {
					a.sayStale()
				}
				if a.terminal && !filtered {
					return printTiers(w, answer)
				}
				return a.printMemories(w, answer)
			})
		})
	}
	return c
}

func printTiers(w io.Writer, answer memory.ListAnswer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, tier := range memory.Tiers {
		fmt.Fprintf(table, "%s\t%d\t\n", tier, answer.Tiers[tier])
	}
	fmt.Fprintf(table, "total\t%d\t\n", answer.Total)
	return table.Flush()
}

func (a *app) printMemories(w io.Writer, answer memory.ListAnswer) error {
	for _, m := range answer.Memories {
		place := where(m)
		room := max(20, a.width-8-2-8-2-len(place)-2)
		if _, err := fmt.Fprintf(w, "%s  %-7s  %s  %s%s\n", m.ID.Short(), m.Tier, place, marks(m), line(m.Text, room)); err != nil {
			return err
		}
	}
	if shown := len(answer.Memories); shown < answer.Total {
		fmt.Fprintf(a.err, "note: %d of %d\n", shown, answer.Total)
	}
	return nil
}
