package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) decayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "decay",
		Short: "move memories between the tiers by use and age",
		Long: `decay runs the ageing policy. A HOT memory that was not used for 72 hours becomes
COLD, and so does a WARM one after 60 days. A COLD memory that is used again becomes
WARM. A memory that has expired becomes ARCHIVE. Pinned memories never move.

The service does this by itself, every 6 hours or by decay.schedule. No Markdown file
changes. Only compact does more: it archives COLD memories that repeat another one.`,
		Example: `  memory decay status
  memory decay run --preview`,
		Args: argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return usageError(c, "run, status or compact is missing") },
	}
	c.AddCommand(a.decayRunCommand(), a.decayStatusCommand(), a.decayCompactCommand())
	return c
}

func (a *app) decayRunCommand() *cobra.Command {
	var r memory.DecayRequest
	c := &cobra.Command{
		Use:   "run",
		Short: "move the memories that are due",
		Long: `run moves every memory that is due by one tier, and prints the moves. --preview only
prints them; with --as-of it prints the moves until that time, if nothing is used.

If the clock is not believed, nothing moves: it shows a time before the last run, or
it jumped by more than 30 days while the service ran. --yes runs anyway.`,
		Example: `  memory decay run --preview
  memory decay run --preview --as-of 2027-01-31
  memory decay run --yes`,
		Args: argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.Decay(c.Context(), r)
				if err != nil {
					return err
				}
				if answer.Held != nil {
					fmt.Fprintf(a.err, "note: sweeps are held: %s\nhint: if the clock is right now, memory decay run --yes releases them\n", *answer.Held)
				}
				return a.printAnswer(answer, func(w io.Writer) error { return printMoves(w, answer) })
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show what would move, and move nothing")
	flags.StringVar(&r.AsOf, "as-of", "", "with --preview: show the moves until this `time` (RFC 3339 or a date)")
	flags.BoolVarP(&r.Release, "yes", "y", false, "believe the clock, and run a sweep that is held")
	return c
}

func (a *app) decayCompactCommand() *cobra.Command {
	r := memory.DecayRequest{Compact: true}
	c := &cobra.Command{
		Use:   "compact",
		Short: "archive COLD memories that repeat another one",
		Long: `compact finds COLD memories that say what another memory says, with equal numbers,
names and negations. It archives them, as memory archive does: one line of front matter
each. Another memory of the same user and scope stays. Searches with --deep find the archived
ones. memory undo reverses it.`,
		Example: `  memory decay compact --preview
  memory decay compact`,
		Args: argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.Decay(c.Context(), r)
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error { return printMoves(w, answer) })
			})
		},
	}
	c.Flags().BoolVar(&r.Preview, "preview", false, "show what would be archived, and change nothing")
	return c
}

func printMoves(w io.Writer, answer memory.DecayAnswer) error {
	verb := "moved"
	if answer.Preview {
		verb = "would move"
	}
	for _, m := range answer.Moves {
		if _, err := fmt.Fprintf(w, "%s  %s to %s  %s\n", m.ID.Short(), m.From, m.To, m.Reason); err != nil {
			return err
		}
	}
	if answer.Held != nil && !answer.Preview {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s %s\n", memoryCount(answer.Total), verb)
	return err
}

func (a *app) decayStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "show when memories age, and how many are due",
		Example: "  memory decay status\n  memory decay status --json",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withSession(c.Context(), readsIndex, func(s *session) error {
				status, err := s.DecayStatus(c.Context(), s.Workspace)
				if err != nil {
					return err
				}
				return a.printAnswer(status, func(w io.Writer) error { return printDecayStatus(w, status, s.Daemon) })
			})
		},
	}
}

func printDecayStatus(w io.Writer, status memory.DecayStatus, daemon bool) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	next := display.Time(status.NextRun)
	if !daemon {
		next += ", if the service runs then (memory serve)"
	}
	fmt.Fprintf(table, "last run\t%s\nnext run\t%s\nschedule\t%s\n", display.TimeOrNever(status.LastRun), next, status.Schedule)
	for _, tier := range []memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold} {
		fmt.Fprintf(table, "due from %s\t%d\n", tier, status.Due[tier])
	}
	if status.Held != nil {
		fmt.Fprintf(table, "held\t%s; memory decay run --yes releases it\n", *status.Held)
	}
	return table.Flush()
}
