package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) explainCommand() *cobra.Command {
	var r memory.ExplainRequest
	c := &cobra.Command{
		Use:   "explain ID",
		Short: "show what a memory's score consists of",
		Long: `explain shows every factor of a memory's score with its name and its numbers; the
points of the factors add up to the score. It also shows why the memory has its
tier, and whether its state keeps it from being put before a model. The similarity
is measured against --query.`,
		Example:           "  memory explain 3f8a91c2\n  memory explain 3f8a --query \"tabs or spaces\"",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: a.completeID,
	}
	c.Flags().StringVarP(&r.Query, "query", "q", "", "the query for the similarity")
	a.userFlag(c, &r.Sender, "", readerHelp)
	c.RunE = func(c *cobra.Command, args []string) error {
		return askIndex(c.Context(), a, readsIndex, func(s *session) (memory.ExplainAnswer, error) {
			r.ID, r.Workspace = args[0], s.Workspace
			return s.Explain(c.Context(), r)
		}, printExplanation)
	}
	return c
}

func printExplanation(w io.Writer, answer memory.ExplainAnswer) error {
	if err := printMemory(w, memory.ShowAnswer{Memory: answer.Memory}); err != nil {
		return err
	}
	ageing := "it does not age"
	if answer.HalfLifeDays != nil {
		ageing = fmt.Sprintf("half-life %g days", *answer.HalfLifeDays)
	}
	fmt.Fprintf(w, "\ntier: %s\nage: %.1f days since its last change or use, %s\ndays of use: %s\ninjected: %s\n\n",
		answer.TierReason, answer.EffectiveAgeDays, ageing, daysOfUse(answer.Memory.UseDays), answer.Reason)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range answer.Factors {
		fmt.Fprintf(table, "%s\t%.4f\t× %.2f\t= %.4f\t\n", f.Name, f.Value, f.Weight, f.Points)
	}
	fmt.Fprintf(table, "score\t\t\t%.4f\t\n", answer.Score)
	return table.Flush()
}

// shownDays is how many days of use are printed: a line of 80 characters has room for them.
const shownDays = 5

// daysOfUse returns how many days of use are known, and the latest of them.
func daysOfUse(days []string) string {
	if len(days) <= shownDays {
		return strings.Join(append([]string{fmt.Sprint(len(days))}, days...), " ")
	}
	return fmt.Sprintf("%d, the latest %s", len(days), strings.Join(days[len(days)-shownDays:], " "))
}
