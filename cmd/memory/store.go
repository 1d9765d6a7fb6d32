package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) storeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "store TEXT",
		Short: "write a memory into today's daily note",
		Long: `store appends TEXT as a bullet to memory/YYYY-MM-DD.md, the daily note of today
in the workspace's time zone, and answers when it can be found. What is there
already is not written again. "-" reads the text from standard input.`,
		Example: `  memory store "Deploys go out on Fridays, never before a holiday"
  pbpaste | memory store -`,
		Args: arguments(1, -1, "the text"),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.text(c, args)
			if err != nil {
				return err
			}
			return a.with(c.Context(), writes, func(s *session) error {
				answer, err := s.Store(c.Context(), memory.StoreRequest{Workspace: s.Workspace, Text: text})
				if err != nil {
					return err
				}
				return a.answer(answer, func(w io.Writer) error {
					said := "stored"
					if answer.Duplicate {
						said = *answer.Message + ":"
					}
					_, err := fmt.Fprintf(w, "%s %s  %s\n", said, answer.Memory.ID.Short(), where(answer.Memory))
					return err
				})
			})
		},
	}
}
