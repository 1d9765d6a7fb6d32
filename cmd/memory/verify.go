package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// errFound makes the program exit with exitFound: the command worked and found
// what should not be there.
var errFound = errors.New("found")

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "verify ID|TEXT",
		Args:              argumentCount(1, 1, "an id or a text"),
		ValidArgsFunction: firstArgument(a.completeID),
		RunE: func(c *cobra.Command, args []string) error {
			r := memory.VerifyRequest{Text: args[0]}
			if _, err := memory.ParseIDPrefix(args[0]); err == nil {
				r = memory.VerifyRequest{ID: args[0]}
			}
			found := 0
			look := func(b api.Backend, ctx context.Context, r memory.VerifyRequest) (memory.VerifyAnswer, error) {
				answer, err := b.Verify(ctx, r, a.show)
				found = answer.Found
				return answer, err
			}
			if err := callBackend(c, a, readsIndex, look, &r, &r.Workspace, a.printVerified); err != nil || found == 0 {
				return err
			}
			return errFound
		},
	}
}

func (a *app) printVerified(w io.Writer, answer memory.VerifyAnswer) {
	for _, c := range answer.Checked {
		mark := a.colour("no   ", color.FgGreen)
		switch {
		case c.Found:
			mark = a.colour("FOUND", color.FgRed)
		case c.Note != "" && c.File != "":
			mark = "?    "
		}
		place := display.Name(c.File)
		if c.Route != "" {
			place = c.Route
		}
		fmt.Fprintf(w, "%s  %s  %s\n", mark, place, c.Note)
	}
	fmt.Fprintf(w, "found in %d of %d places; git's history and other copies were not searched\n", answer.Found, len(answer.Checked))
}
