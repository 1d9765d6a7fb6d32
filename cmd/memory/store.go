package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) storeCommand() *cobra.Command {
	var r memory.StoreRequest
	var importance float64
	c := &cobra.Command{
		Use:   "store TEXT",
		Short: "write a memory into today's daily note",
		Long: `store appends TEXT as a bullet to memory/YYYY-MM-DD.md, the daily note of today
in the workspace's time zone, and answers when it can be found. What is there
already is not written again. "-" reads the text from standard input.`,
		Example: `  memory store "Deploys go out on Fridays, never before a holiday"
  pbpaste | memory store -`,
		Args: arguments(1, -1, "the text"),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if r.Text, err = a.text(c, args); err != nil {
				return err
			}
			if c.Flags().Changed("importance") {
				r.Importance = &importance
			}
			return a.with(c.Context(), writes, func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.Store(c.Context(), r)
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
	flags := c.Flags()
	flags.BoolVar(&r.Pinned, "pin", false, "pin it")
	flags.Var(flagText[memory.Tier]{&r.Tier, memory.ParseTier, "tier"}, "tier", "where it starts: hot, warm, cold, archive")
	flags.Var(flagText[memory.Type]{&r.Type, memory.ParseType, "type"}, "type", "procedural, factual, project, episodic")
	flags.Var(flagText[memory.Category]{&r.Category, memory.ParseCategory, "category"}, "category", "what it is about")
	flags.Float64Var(&importance, "importance", memory.DefaultImportance, "from 0 to 1")
	words(c, "tier", memory.Tiers)
	words(c, "type", memory.Types)
	words(c, "category", memory.Categories)
	return c
}
