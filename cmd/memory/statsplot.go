package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/memory-tiered/memory"
)

// statsPlot is what a plot shows, and the answer of stats --plot --json.
type statsPlot struct {
	Workspace string                       `json:"workspace"`
	History   memory.TierHistory           `json:"history"`
	Ages      memory.List[memory.AgeCount] `json:"ages"`
}

// plotStats draws the tiers over time and the memories by age, on the terminal and to a
// file.
func (a *app) plotStats(ctx context.Context, draw bool, svg string) error {
	var p statsPlot
	err := a.withSession(ctx, readsIndex, func(s *session) error {
		stats, err := s.Stats(ctx, memory.StatsRequest{Workspace: s.Workspace})
		if err != nil {
			return err
		}
		p.Workspace, p.Ages = stats.Workspace, stats.Ages
		p.History, err = s.TierHistory(ctx, memory.StatsRequest{Workspace: s.Workspace})
		return err
	})
	if err != nil {
		return err
	}
	if svg != "" {
		if err := os.WriteFile(svg, []byte(svgPlot(p)), 0o644); err != nil {
			return memory.Unavailable(err, "write the plot")
		}
		if !draw && !a.json {
			_, err := fmt.Fprintf(a.out, "wrote %s\n", svg)
			return err
		}
	}
	return a.printAnswer(p, func(w io.Writer) error { return a.drawPlot(w, p) })
}

// plotSeries are the lines of the plot in order: the tiers, and what is unknown, if
// anything is.
func plotSeries(h memory.TierHistory) (names []string, lines [][]float64) {
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

func (a *app) drawPlot(w io.Writer, p statsPlot) error {
	if len(p.History.Days) == 0 {
		_, err := fmt.Fprintln(w, "no memory is indexed yet")
		return err
	}
	names, lines := plotSeries(p.History)
	options := []asciigraph.Option{asciigraph.Height(plotHeight(plotRows, lines...)), asciigraph.Width(max(minPlotCols, a.width-plotMargin)), asciigraph.Precision(0), asciigraph.LowerBound(0)}
	if a.hasColour() {
		colours := []asciigraph.AnsiColor{asciigraph.Red, asciigraph.Goldenrod, asciigraph.Blue, asciigraph.Gray, asciigraph.Default}
		options = append(options, asciigraph.SeriesColors(colours[:len(lines)]...), asciigraph.SeriesLegends(names...))
		fmt.Fprintf(w, "tiers, %s to %s\n%s\n", p.History.Days[0].Day, p.History.Days[len(p.History.Days)-1].Day, asciigraph.PlotMany(lines, options...))
	} else { // lines cannot be told apart without colour
		for i, name := range names {
			own := append(options[:len(options):len(options)], asciigraph.Height(plotHeight(plotRows/3, lines[i])))
			fmt.Fprintf(w, "%s, %s to %s\n%s\n", name, p.History.Days[0].Day, p.History.Days[len(p.History.Days)-1].Day, asciigraph.Plot(lines[i], own...))
		}
	}
	fmt.Fprintf(w, "\nmemories by age\n%s\n", ageBars(p.Ages, max(minPlotCols, a.width-barsMargin)))
	for _, note := range p.History.Notes {
		if _, err := fmt.Fprintf(w, "note: %s\n", note); err != nil {
			return err
		}
	}
	return nil
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
