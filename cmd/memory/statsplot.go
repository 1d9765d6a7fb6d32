package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/memory-tiered/memory"
)

// chart is what is drawn, and the answer of stats --plot --json.
type chart struct {
	Workspace string                       `json:"workspace"`
	History   memory.TierHistory           `json:"history"`
	Ages      memory.List[memory.AgeCount] `json:"ages"`
}

// series returns the lines of the chart in order: the tiers, and what is unknown, if
// anything is.
func series(h memory.TierHistory) (names []string, lines [][]float64) {
	for _, t := range memory.Tiers {
		names = append(names, string(t))
		line := []float64{}
		for _, d := range h.Days {
			line = append(line, float64(d.Tiers[t]))
		}
		lines = append(lines, line)
	}
	unknown, any := []float64{}, false
	for _, d := range h.Days {
		unknown = append(unknown, float64(d.Unknown))
		any = any || d.Unknown > 0
	}
	if any {
		names, lines = append(names, "unknown"), append(lines, unknown)
	}
	return names, lines
}

const (
	plotRows    = 12 // lines of text of the plot
	plotMargin  = 14 // columns for the numbers at its left, and some air
	barsMargin  = 24 // columns beside the longest bar
	minPlotCols = 20
)

// draw draws the chart for a terminal of so many columns.
func (c chart) draw(w io.Writer, columns int, withColour bool) {
	if len(c.History.Days) == 0 {
		fmt.Fprintln(w, "no memory is indexed yet")
		return
	}
	names, lines := series(c.History)
	options := []asciigraph.Option{asciigraph.Height(plotHeight(plotRows, lines...)), asciigraph.Width(max(minPlotCols, columns-plotMargin)), asciigraph.Precision(0), asciigraph.LowerBound(0)}
	if withColour {
		colours := []asciigraph.AnsiColor{asciigraph.Red, asciigraph.Goldenrod, asciigraph.Blue, asciigraph.Gray, asciigraph.Default}
		options = append(options, asciigraph.SeriesColors(colours[:len(lines)]...), asciigraph.SeriesLegends(names...))
		fmt.Fprintf(w, "tiers, %s to %s\n%s\n", c.History.Days[0].Day, c.History.Days[len(c.History.Days)-1].Day, asciigraph.PlotMany(lines, options...))
	} else { // lines cannot be told apart without colour
		for i, name := range names {
			own := append(options[:len(options):len(options)], asciigraph.Height(plotHeight(plotRows/3, lines[i])))
			fmt.Fprintf(w, "%s, %s to %s\n%s\n", name, c.History.Days[0].Day, c.History.Days[len(c.History.Days)-1].Day, asciigraph.Plot(lines[i], own...))
		}
	}
	fmt.Fprintf(w, "\nmemories by age\n%s\n", ageBars(c.Ages, max(minPlotCols, columns-barsMargin)))
	for _, note := range c.History.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
}

// plotHeight returns how many rows a plot has: no more than its largest value, because
// rows between whole numbers would repeat them.
func plotHeight(most int, lines ...[]float64) int {
	largest := 1.0
	for _, line := range lines {
		largest = max(largest, slices.Max(line))
	}
	return min(most, int(largest))
}

// ageBars draws one bar for each age, the longest as wide as width.
func ageBars(ages []memory.AgeCount, width int) string {
	most := 1
	for _, age := range ages {
		most = max(most, age.Count)
	}
	var b strings.Builder
	for _, age := range ages {
		fmt.Fprintf(&b, "%10s │%s %d\n", ageName(age), strings.Repeat("█", age.Count*width/most), age.Count)
	}
	return b.String()
}

// ageName describes a group of ages.
func ageName(a memory.AgeCount) string {
	if a.Days == 0 {
		return a.Age
	}
	return "< " + a.Age
}
