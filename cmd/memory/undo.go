package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) undoCommand() *cobra.Command {
	r := memory.DecideRequest{Action: memory.ActionUndo}
	c := &cobra.Command{
		Use:   "undo [N]",
		Short: "reverse the last command, or the last N",
		Long: `undo reverses the last command that changed a memory or the current context, for
all memories of that command. These are forget, restore, pin, unpin, promote, demote,
archive, store, capture, set-context, clear-context and the steps of a review.

Undoing a store or a capture removes the text from its file, unless somebody edited
it since. Undoing set-context or clear-context restores the former context, unless it
has expired. --preview shows what undo would reverse.

undo leaves what a service captured from conversations, and says so. It cannot reverse
destroy: it then fails, and undo 2 skips the destroy. It does not reverse decisions
that you edited into a file; edit the file again. memory audit lists all decisions.`,
		Example: "  memory undo\n  memory undo 3 --preview",
		Args:    argumentCount(0, 1, ""),
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if _, digits, found := strings.Cut(err.Error(), " in -"); found && strings.Trim(digits, "0123456789") == "" {
			return notACount(c, "-"+digits)
		}
		return usageError(c, "%s", err)
	})
	c.Flags().BoolVar(&r.Preview, "preview", false, "show what would change, and change nothing")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return notACount(c, args[0])
			}
			r.Count = n
		}
		return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error {
			r.Workspace = s.Workspace
			bar := a.progress()
			r.Progress = bar.Show
			answer, err := s.Decide(c.Context(), r)
			bar.Done()
			if err != nil {
				return err
			}
			return a.printDecision(answer)
		})
	}
	return c
}

// notACount is the error for an argument of undo that is no number of commands.
func notACount(c *cobra.Command, argument string) error {
	return usageError(c, "undo takes a number of commands, 1 or more; %q is none", argument)
}
