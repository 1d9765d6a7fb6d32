package display

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
)

// DecayStatus prints when sweeps run. daemon reports that a service runs.
func DecayStatus(w io.Writer, status memory.DecayStatus, daemon bool) {
	next := Time(status.NextRun)
	if !daemon {
		next += ", if the service runs then (memory serve)"
	}
	Columns(w, 0, func(table io.Writer) {
		fmt.Fprintf(table, "last run\t%s\nnext run\t%s\nschedule\t%s\n", TimeOrNever(status.LastRun), next, status.Schedule)
		for _, tier := range []memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold} {
			fmt.Fprintf(table, "due from %s\t%d\n", tier, status.Due[tier])
		}
		if status.Held != nil {
			fmt.Fprintf(table, "held\t%s; memory decay run --yes releases it\n", *status.Held)
		}
	})
}

// Grades prints the numbers. A preview also prints each grade.
func Grades(w io.Writer, answer memory.GradeAnswer) {
	if answer.Preview {
		for _, g := range answer.Grades {
			fmt.Fprintf(w, "%s  %-13s  %s:%d  %s\n", g.ID.Short(), gradeText(g), Name(g.Path), g.Line, strings.Join(g.Reasons, ", "))
		}
	}
	fmt.Fprintf(w, "updated %d, skipped %d, overwritten %d, missing %d\n", answer.Updated, answer.Skipped, answer.Overwritten, answer.Missing)
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

// Tiers prints how many memories each tier has.
func Tiers(w io.Writer, answer memory.ListAnswer) {
	Columns(w, tabwriter.AlignRight, func(table io.Writer) {
		for _, tier := range memory.Tiers {
			fmt.Fprintf(table, "%s\t%d\t\n", tier, answer.Tiers[tier])
		}
		fmt.Fprintf(table, "total\t%d\t\n", answer.Total)
	})
}
