package main

import (
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) importCommand() *cobra.Command {
	var r memory.ImportRequest
	c := &cobra.Command{
		Use:  "import FILE",
		Args: argumentCount(1, 1, "FILE"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	wordFlag(c, &r.Dedupe, memory.ParseDedupe, memory.Dedupes, "dedupe", "what counts as here already: none, id, id_text (default id_text)")
	flags := c.Flags()
	flags.BoolVar(&r.DryRun, "dry-run", false, "check the file, count what would be done, and change nothing")
	flags.BoolVar(&r.Append, "append", false, "append to files that exist, instead of writing new ones beside them")
	c.RunE = func(c *cobra.Command, args []string) error {
		in, err := a.openInput(args[0], "file", "memory export FILE writes one")
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }() // it was only read
		return a.withSession(c.Context(), writesUnless(r.DryRun), func(s *session) error {
			r.Workspace, r.In = s.Workspace, in
			answer, err := s.Import(c.Context(), r, a.show)
			a.endProgress()
			if err != nil {
				return err
			}
			a.notes(answer.Notices)
			if err := printAnswer(a, answer, display.Imported); err != nil {
				return err
			}
			if len(answer.Failed) > 0 {
				return errFound
			}
			return nil
		})
	}
	return c
}
