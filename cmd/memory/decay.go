package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) decayCommand() *cobra.Command {
	c := &cobra.Command{Use: "decay"}
	c.AddCommand(a.decayRunCommand(), a.decayStatusCommand(), a.decayCompactCommand())
	return c
}

func (a *app) decayRunCommand() *cobra.Command {
	var r memory.DecayRequest
	c := change(a, "run", arguments{}, &r.Preview, api.Backend.Decay, &r, &r.Workspace, a.printMoves)
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show what would move, and move nothing")
	flags.StringVar(&r.AsOf, "as-of", "", "with --preview: show the moves until this `time` (RFC 3339 or a date)")
	flags.BoolVarP(&r.Release, "yes", "y", false, "believe the clock, and run a sweep that is held")
	return c
}

func (a *app) decayCompactCommand() *cobra.Command {
	r := memory.DecayRequest{Compact: true}
	c := change(a, "compact", arguments{}, &r.Preview, api.Backend.Decay, &r, &r.Workspace, a.printMoves)
	c.Flags().BoolVar(&r.Preview, "preview", false, "show what would be archived, and change nothing")
	return c
}

func (a *app) printMoves(w io.Writer, answer memory.DecayAnswer) {
	if answer.Held != nil {
		a.note("sweeps are held: %s\nhint: if the clock is right now, memory decay run --yes releases them", *answer.Held)
	}
	for _, m := range answer.Moves {
		fmt.Fprintf(w, "%s  %s to %s  %s\n", m.ID.Short(), m.From, m.To, m.Reason)
	}
	switch {
	case answer.Preview:
		fmt.Fprintf(w, "%s would move\n", display.MemoryCount(answer.Total))
	case answer.Held == nil:
		fmt.Fprintf(w, "%s moved\n", display.MemoryCount(answer.Total))
	}
}

func (a *app) decayStatusCommand() *cobra.Command {
	return newCommand("status", arguments{}, func(c *cobra.Command) error {
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			print := func(w io.Writer, status memory.DecayStatus) { printDecayStatus(w, status, s.Daemon) }
			return printed(a, print)(s.DecayStatus(c.Context(), s.Workspace))
		})
	})
}

func printDecayStatus(w io.Writer, status memory.DecayStatus, daemon bool) {
	next := display.Time(status.NextRun)
	if !daemon {
		next += ", if the service runs then (memory serve)"
	}
	display.Columns(w, 0, func(table io.Writer) {
		fmt.Fprintf(table, "last run\t%s\nnext run\t%s\nschedule\t%s\n", display.TimeOrNever(status.LastRun), next, status.Schedule)
		for _, tier := range []memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold} {
			fmt.Fprintf(table, "due from %s\t%d\n", tier, status.Due[tier])
		}
		if status.Held != nil {
			fmt.Fprintf(table, "held\t%s; memory decay run --yes releases it\n", *status.Held)
		}
	})
}

func (a *app) gradeCommand() *cobra.Command {
	var r memory.GradeRequest
	c := change(a, "grade", arguments{}, &r.Preview, api.Backend.Grade, &r, &r.Workspace, printGrades)
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show the grades, and store nothing")
	flags.BoolVar(&r.Force, "force", false, "grade again what was graded before")
	flags.StringSliceVar(&r.Fields, "fields", nil, "what to set, with commas between: importance, importance_label (default: importance)")
	flags.IntVar(&r.Limit, "limit", 0, "grade at most this many memories; 0: no limit")
	completeWords(c, "fields", memory.GradeFields)
	return c
}

// printGrades prints the numbers. A preview also prints each grade.
func printGrades(w io.Writer, answer memory.GradeAnswer) {
	if answer.Preview {
		for _, g := range answer.Grades {
			fmt.Fprintf(w, "%s  %-13s  %s:%d  %s\n", g.ID.Short(), gradeText(g), display.Name(g.Path), g.Line, strings.Join(g.Reasons, ", "))
		}
	}
	fmt.Fprintf(w, "updated %d, skipped %d, overwritten %d, missing %d\n", answer.Updated, answer.Skipped, answer.Overwritten, answer.Missing)
}

// gradeText returns the parts of a grade that were set.
func gradeText(g memory.GradeOf) string {
	var parts []string
	if g.Importance != nil {
		parts = append(parts, fmt.Sprintf("%.2f", *g.Importance))
	}
	if g.Label != "" {
		parts = append(parts, string(g.Label))
	}
	return strings.Join(parts, " ")
}
