package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

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
	c.Flags().Func("unused", "archive instead what belongs to a scene that nobody used for this many `days`, except its extract", func(text string) (err error) {
		if r.Unused, err = strconv.ParseFloat(text, 64); err == nil && r.Unused <= 0 {
			err = errors.New("it takes a number above 0")
		}
		return err
	})
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
			print := func(w io.Writer, status memory.DecayStatus) { display.DecayStatus(w, status, s.Daemon) }
			return printed(a, print)(s.DecayStatus(c.Context(), s.Workspace))
		})
	})
}

func (a *app) gradeCommand() *cobra.Command {
	var r memory.GradeRequest
	c := change(a, "grade", arguments{}, &r.Preview, api.Backend.Grade, &r, &r.Workspace, display.Grades)
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show the grades, and store nothing")
	flags.BoolVar(&r.Force, "force", false, "grade again what was graded before")
	flags.StringSliceVar(&r.Fields, "fields", nil, "what to set, with commas between: importance, importance_label (default: importance)")
	flags.IntVar(&r.Limit, "limit", 0, "grade at most this many memories; 0: no limit")
	completeWords(c, "fields", memory.GradeFields)
	return c
}
