package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) feedbackCommand() *cobra.Command {
	var r memory.FeedbackRequest
	verdicts := map[memory.Verdict]*bool{}
	c := change(a, "feedback ID --wrong|--useful|--never", a.idArgument(&r.ID), nil, api.Backend.Feedback, &r, &r.Workspace,
		func(w io.Writer, answer memory.ChangeAnswer) { a.printFeedback(w, r.Verdict, answer) })
	flags := c.Flags()
	verdicts[memory.VerdictWrong] = flags.Bool("wrong", false, "it does not answer questions like this one")
	verdicts[memory.VerdictUseful] = flags.Bool("useful", false, "it answers questions like this one")
	verdicts[memory.VerdictNever] = flags.Bool("never", false, "never put it before a prompt again")
	flags.StringVarP(&r.Query, "query", "q", "", "the question that it is wrong or useful for")
	flags.StringVar(&r.Receipt, "receipt", "", "the recall that gave it: an id of memory receipts")
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		for v, given := range verdicts {
			if *given && r.Verdict != "" {
				return usageError(c, "--%s and --%s exclude each other", min(v, r.Verdict), max(v, r.Verdict))
			}
			if *given {
				r.Verdict = v
			}
		}
		if r.Verdict == "" {
			return usageError(c, "--wrong, --useful or --never is missing")
		}
		return nil
	}
	return c
}

func (a *app) printFeedback(w io.Writer, v memory.Verdict, answer memory.ChangeAnswer) {
	a.notes(answer.Notices)
	if v == memory.VerdictNever {
		fmt.Fprintln(w, "never injected again:")
	} else {
		fmt.Fprintf(w, "%s for questions like %q:\n", v, display.Line(answer.Query, 60))
	}
	for _, m := range answer.Changed {
		a.memoryLine(w, "", m)
	}
}
