package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) gradeCommand() *cobra.Command {
	var r memory.GradeRequest
	c := &cobra.Command{
		Use:   "grade",
		Short: "estimate the importance of the memories that have none",
		Long: `grade gives an importance from 0 to 1 to every memory without one, by stated rules:
whether it says that it is important, states a rule, is a decision, and so on.
--preview shows the grades with their reasons. The index alone has them: no Markdown
file changes, and what you declare there stays stronger.

--force grades again what was graded before. --fields also sets importance_label, which
decides who gets the free places of a block.`,
		Example: `  memory grade --preview
  memory grade --fields importance,importance_label --limit 100`,
		Args: argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.Grade(c.Context(), r)
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error { return printGrades(w, answer) })
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&r.Preview, "preview", false, "show the grades, and store nothing")
	flags.BoolVar(&r.Force, "force", false, "grade again what was graded before")
	flags.StringSliceVar(&r.Fields, "fields", nil, "what to set, with commas between: importance, importance_label (default: importance)")
	flags.IntVar(&r.Limit, "limit", 0, "grade at most this many memories; 0: no limit")
	completeWords(c, "fields", memory.GradeFields)
	return c
}

// printGrades prints the numbers. A preview also prints each grade.
func printGrades(w io.Writer, answer memory.GradeAnswer) error {
	if answer.Preview {
		for _, g := range answer.Grades {
			if _, err := fmt.Fprintf(w, "%s  %-13s  %s:%d  %s\n", g.ID.Short(), gradeText(g), display.Name(g.Path), g.Line, strings.Join(g.Reasons, ", ")); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "updated %d, skipped %d, overwritten %d, missing %d\n", answer.Updated, answer.Skipped, answer.Overwritten, answer.Missing)
	return err
}

// gradeText returns the parts of a grade that were set.
func gradeText(g memory.GradeOf) string {
	var parts []string
	if g.Importance != nil {
		parts = append(parts, fmt.Sprintf("%.2f", *g.Importance))
	}
	if g.Label != "" {
		parts = append(parts, string(g.Label))
	}
	return strings.Join(parts, " ")
}
