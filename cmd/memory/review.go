package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

func (a *app) reviewCommand() *cobra.Command {
	var r memory.ReviewRequest
	var step memory.ReviewStepRequest
	args := arguments{most: 3, read: func(given []string) (err error) {
		switch len(given) {
		case 3:
			step.Other = given[2]
			fallthrough
		case 2:
			step.ID = given[1]
			fallthrough
		case 1:
			step.Action, err = memory.ParseReviewAction(given[0])
		}
		return err
	}}
	c := newCommand("review [ACTION ID [OTHER]]", args, func(c *cobra.Command) error {
		if step.Action != "" {
			step.Kind = r.Kind
			return callBackend(c, a, writesIndex, api.Backend.ReviewStep, &step, &step.Workspace, a.printReviewStep)
		}
		return callBackend(c, a, readsIndex, api.Backend.Review, &r, &r.Workspace, func(w io.Writer, answer memory.ReviewAnswer) {
			if r.Count {
				fmt.Fprintln(w, answer.Total)
			} else {
				a.listReview(w, answer)
			}
		})
	})
	wordFlag(c, &r.Kind, memory.ParseReviewKind, memory.ReviewKinds, "kind", "only this kind of points")
	c.Flags().BoolVar(&r.Count, "count", false, "print the number of points only")
	return c
}

// listReview prints the points of a review.
func (a *app) listReview(w io.Writer, answer memory.ReviewAnswer) {
	for _, item := range answer.Items {
		fmt.Fprintf(w, "%s: %s\n", item.Kind, item.Reason)
		a.memoryLine(w, "", item.Memory)
		if item.Other != nil {
			a.memoryLine(w, "", *item.Other)
		}
	}
	if len(answer.Items) == 0 {
		fmt.Fprintln(w, "nothing to review")
	}
}

func (a *app) printReviewStep(w io.Writer, answer memory.ReviewStepAnswer) {
	a.notes(answer.Notices)
	for _, m := range answer.Changed {
		a.memoryLine(w, string(answer.Action)+" ", m)
	}
}
