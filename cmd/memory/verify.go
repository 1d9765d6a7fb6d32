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
	"github.com/memory-tiered/memory/cmd/memory/receipt"
)

// errFound makes the program exit with exitFound: the command worked and found
// what should not be there.
var errFound = errors.New("found")

func (a *app) verifyCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{
		Use:               "verify ID|TEXT",
		ValidArgsFunction: firstArgument(a.completeID),
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("receipt") {
				return errors.Join(noEmptyFlag(c), argumentCount(0, 0, "")(c, args))
			}
			return argumentCount(1, 1, "an id or a text")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if file != "" {
				return a.verifyReceipt(c, file)
			}
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
	c.Flags().StringVar(&file, "receipt", "", "look again at the places of this `file`, which destroy --receipt wrote")
	return c
}

// verifyReceipt looks again at the places of a receipt.
func (a *app) verifyReceipt(c *cobra.Command, file string) error {
	r, src, err := receipt.Read(file)
	if err != nil {
		return err
	}
	if a.workspaceFlag == "" && a.env("MEMORY_WORKSPACE") == "" {
		a.workspaceFlag = r.Workspace
	}
	return a.withSession(c.Context(), readsIndex, func(s *session) error {
		answer, err := s.Verify(c.Context(), memory.VerifyRequest{Workspace: s.Workspace, Receipt: src}, a.show)
		if err != nil {
			return err
		}
		return a.printErasure(answer.Receipt, answer.Receipt, nil)
	})
}

// printErasure prints the answer of a command with its receipt, below what was just destroyed.
func (a *app) printErasure(answer any, src []byte, destroyed []memory.Memory) error {
	r, err := receipt.Parse(src)
	if err == nil {
		err = printAnswer(a, answer, func(w io.Writer, _ any) {
			printGone(w, destroyed)
			receipt.Print(w, r, a.colour)
		})
	}
	if err == nil && r.Residual > 0 {
		return errFound
	}
	return err
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
	fmt.Fprintf(w, "found in %d of %d places; git's history, the files of a database server and other copies were not searched\n", answer.Found, len(answer.Checked))
}
