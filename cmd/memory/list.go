package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) listCommand() *cobra.Command {
	var r memory.ListRequest
	c := &cobra.Command{
		Use:   "list",
		Short: "list memories, or count them by tier",
		Long: `On a terminal, list counts the memories of each tier. With a filter, with --json or
without a terminal, it lists all visible memories, or at most --limit of them.
--forgotten, --missing, --pinned and --expired list only those memories. With a time
in the future, --as-of shows the tiers that ageing leads to if nothing is used.`,
		Example: `  memory list
  memory list --tier warm --sort use_count
  memory list --missing --json
  memory list --unused 90
  memory list --tier cold --as-of 2027-01-31`,
		Args: argumentCount(0, 0, ""),
	}
	filterFlags(c, &r.Filter)
	limit := limitFlag(c, 0, "at most this many; 0: no limit")
	flags := c.Flags()
	flags.BoolVar(&r.Forgotten, "forgotten", false, "only forgotten memories")
	flags.BoolVar(&r.Pinned, "pinned", false, "only pinned memories")
	flags.BoolVar(&r.Missing, "missing", false, "only memories whose text is in no file any more; forgotten ones with --forgotten")
	flags.BoolVar(&r.Properties, "properties", false, "also the properties of other programs in front matter")
	flags.StringVar(&r.Sort, "sort", "", "sort by created_at, last_accessed_at, use_count or path")
	flags.IntVar(&r.Offset, "offset", 0, "skip this many first")
	flags.StringVar(&r.AsOf, "as-of", "", "answer as at this `time` (RFC 3339 or a date)")
	flags.StringVar(&r.Agent, "agent", "", "as this `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, "", readerHelp)
	completeWords(c, "sort", []string{"created_at", "last_accessed_at", "use_count", "path"})
	c.RunE = func(c *cobra.Command, _ []string) error {
		filtered := false
		c.LocalFlags().Visit(func(f *pflag.Flag) { filtered = filtered || f.Name != "as-of" })
		r.Limit = limit()
		return a.withSession(c.Context(), readsAll, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := listAll(c.Context(), s, r)
			if err != nil {
				return err
			}
			return a.printAnswer(answer, func(w io.Writer) error {
				if answer.Stale {
					a.noteStale()
				}
				a.noteLeftOut(answer.LeftOutByDate)
				a.noteIndexing(answer.Indexing)
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
		place := display.Location(m)
		room := max(20, a.width-8-2-8-2-len(place)-2)
		if _, err := fmt.Fprintf(w, "%s  %-7s  %s  %s%s\n", m.ID.Short(), m.Tier, place, display.State(m), display.MemoryLine(m.Text, room)); err != nil {
			return err
		}
	}
	if shown := len(answer.Memories); shown < answer.Total {
		fmt.Fprintf(a.err, "note: %d of %d shown\n", shown, answer.Total)
	}
	return nil
}
