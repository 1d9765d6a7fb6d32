package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) reviewCommand() *cobra.Command {
	var r memory.ReviewRequest
	c := newCommand("review", arguments{}, func(c *cobra.Command) error {
		if a.terminal && !a.json && !r.Count {
			return (&review{app: a, c: c, request: r, keys: display.NewKeys(a.in)}).run()
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
		for _, m := range memoriesOf(item) {
			a.memoryLine(w, "", m)
		}
	}
	if len(answer.Items) == 0 {
		fmt.Fprintln(w, "nothing to review")
	}
}

func memoriesOf(item memory.ReviewItem) []memory.Memory {
	if item.Other == nil {
		return []memory.Memory{item.Memory}
	}
	return []memory.Memory{item.Memory, *item.Other}
}

// review is a review on a terminal.
type review struct {
	*app
	c       *cobra.Command
	request memory.ReviewRequest
	keys    *display.Keys
	items   []memory.ReviewItem // to look at, the present one first
	skipped []string            // points that the person skipped
	done    []doneStep
}

// doneStep is a step that can be undone. A skip has no batch.
type doneStep struct{ batch, skipped string }

// pointKey names a point, whichever of two memories comes first.
func pointKey(item memory.ReviewItem) string {
	if item.Other == nil {
		return fmt.Sprint(item.Kind, item.Memory.ID)
	}
	return fmt.Sprint(item.Kind, min(item.Memory.ID, item.Other.ID), max(item.Memory.ID, item.Other.ID))
}

// run shows one point after the other until none is left or the person quits.
func (v *review) run() error {
	if err := v.load(); err != nil {
		return err
	}
	if len(v.items) == 0 {
		fmt.Fprintln(v.err, "nothing to review")
		return nil
	}
	for {
		v.show()
		more, err := v.handleKey()
		if err != nil || !more {
			return err
		}
	}
}

// load reads the points that the person has not skipped.
func (v *review) load() error {
	return v.withSession(v.c.Context(), readsIndex, func(s *session) error {
		v.request.Workspace = s.Workspace
		answer, err := s.Review(v.c.Context(), v.request)
		v.items = slices.DeleteFunc(answer.Items, func(item memory.ReviewItem) bool { return slices.Contains(v.skipped, pointKey(item)) })
		return err
	})
}

// show shows the present point and its keys. At the end a step can still be undone.
func (v *review) show() {
	if len(v.items) == 0 {
		fmt.Fprint(v.err, "\nnothing more to review  [u]ndo [q]uit ")
		return
	}
	item := v.items[0]
	fmt.Fprintf(v.err, "\n%s  %s\n", v.colour(string(item.Kind), color.Bold), item.Reason)
	for i, m := range memoriesOf(item) {
		number := "  "
		if item.Other != nil {
			number = fmt.Sprintf("%d ", i+1)
		}
		fmt.Fprintf(v.err, "%s%s  %s  %s%s\n", number, m.ID.Short(), display.Location(m), display.State(m), m.Tier)
		for line := range strings.SplitSeq(m.Text, "\n") {
			fmt.Fprintf(v.err, "    %s\n", line)
		}
	}
	fmt.Fprintf(v.err, "%d left  %s ", len(v.items), keysOf(item))
}
