package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) undoCommand() *cobra.Command {
	r := memory.DecideRequest{Action: memory.ActionUndo}
	c := &cobra.Command{
		Use:   "undo [N]",
		Short: "reverse the last decision, or the last N",
		Long: `undo reverses the last command that decided about memories, for all memories of
that command: forget, restore, pin, unpin, promote, demote, archive, and the steps
of a review. It removes no text: after a store or a capture, it reverses the decision
before it, and says which one. --preview shows that first. It cannot reverse destroy:
it then fails, and undo 2 skips the destroy. It does not reverse decisions that you
edited into a file; edit the file again. memory audit lists all decisions.`,
		Example: "  memory undo\n  memory undo 3 --preview",
		Args:    argumentCount(0, 1, ""),
	}
	c.Flags().BoolVar(&r.Preview, "preview", false, "show what would change, and change nothing")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return usageError(c, "%q is not a number of commands", args[0])
			}
			r.Count = n
		}
		need := writesIndex
		if r.Preview {
			need = readsIndex
		}
		return a.withSession(c.Context(), need, func(s *session) error {
			r.Workspace = s.Workspace
			bar := a.progress()
			r.Progress = bar.show
			answer, err := s.Decide(c.Context(), r)
			bar.done()
			if err != nil {
				return err
			}
			return a.printDecision(answer)
		})
	}
	return c
}
