package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// errFound makes the program exit with exitFound: the command worked and found
// what should not be there.
var errFound = errors.New("found")

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ID|TEXT",
		Short: "look for a text on every route and in every file",
		Long: `verify asks every route for a memory's text, as an agent would. It then looks for
its bytes in the workspace's Markdown (also in files that .memoryignore excludes)
and in every file of the state folder. Where OpenClaw uses the service, it looks in
OpenClaw's own stores too. It lists each place and what it found there, and exits with
1 if it found the text anywhere.

The text of a forgotten memory is still in its Markdown file and in the index, and
verify reports both. No route may return it unless the request asks for forgotten
memories. A destroyed text must not be found anywhere.`,
		Example:           "  memory verify 3f8a91c2\n  memory verify \"The vault code is 4711\"",
		Args:              argumentCount(1, 1, "an id or a text"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			answer, err := a.verify(c.Context(), args[0])
			if err != nil {
				return err
			}
			if err := a.printAnswer(answer, func(w io.Writer) error { return a.printVerified(w, answer) }); err != nil || answer.Found == 0 {
				return err
			}
			return errFound
		},
	}
}

func (a *app) verify(ctx context.Context, idOrText string) (answer memory.VerifyAnswer, err error) {
	r := memory.VerifyRequest{Text: idOrText}
	if _, err := memory.ParseIDPrefix(idOrText); err == nil {
		r = memory.VerifyRequest{ID: idOrText}
	}
	err = a.withSession(ctx, readsIndex, func(s *session) (err error) {
		r.Workspace = s.Workspace
		bar := a.progress()
		defer bar.Done()
		answer, err = s.Verify(ctx, r, bar.Show)
		return err
	})
	return answer, err
}

func (a *app) printVerified(w io.Writer, answer memory.VerifyAnswer) error {
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
		if _, err := fmt.Fprintf(w, "%s  %s  %s\n", mark, place, c.Note); err != nil {
			return err
		}
	}
	for _, path := range answer.NotSearched {
		if _, err := fmt.Fprintf(w, "–      %s  not searched: a model's file, as published\n", display.Name(path)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "found in %d of %d places; git's history and other copies were not searched\n", answer.Found, len(answer.Checked))
	return err
}
