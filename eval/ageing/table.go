package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
)

// print writes what each month of a year gave, and all of it.
func (r result) print(out io.Writer) error {
	title := "with ageing"
	if !r.ageing {
		title = "without ageing"
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%s, at most %d memories a block\nmonth\tHOT\tWARM\tCOLD\tcaptured\tdemoted\tpromoted\ttokens a prompt\trelevant\tanswered\t\n", title, r.items)
	row := func(name string, m month) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t%.1f %%\t%.1f %%\t\n", name, m.tiers[memory.TierHot], m.tiers[memory.TierWarm], m.tiers[memory.TierCold],
			m.captured, m.demoted, m.promoted, float64(m.tokens)/float64(m.prompts), 100*float64(m.relevant)/float64(max(1, m.tokens)), 100*float64(m.answered)/float64(m.prompts))
	}
	var sum month
	for i, m := range r.months {
		row(fmt.Sprint(i+1), m)
		sum.tiers, sum.captured, sum.demoted, sum.promoted = m.tiers, sum.captured+m.captured, sum.demoted+m.demoted, sum.promoted+m.promoted
		sum.tokens, sum.relevant, sum.prompts, sum.answered = sum.tokens+m.tokens, sum.relevant+m.relevant, sum.prompts+m.prompts, sum.answered+m.answered
	}
	row("all", sum)
	for _, reason := range slices.Sorted(maps.Keys(r.left)) {
		fmt.Fprintf(table, "left out by capture: %d (%s)\n", r.left[reason], reason)
	}
	fmt.Fprintln(table)
	return table.Flush()
}
