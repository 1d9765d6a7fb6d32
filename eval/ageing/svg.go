package main

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
)

// The size of the plot and the corners of its axes, in SVG units.
const (
	plotWidth, plotHeight = 720.0, 360.0
	plotLeft, plotRight   = 56.0, 640.0
	plotTop, plotBottom   = 50.0, 310.0
)

// strokes are the colours and dashes of the tiers. The hues are those of Okabe and Ito,
// which colour-blind readers can tell apart. The dashes are for prints without colour.
var strokes = []struct {
	tier                memory.Tier
	light, dark, dashes string
}{
	{memory.TierHot, "#d55e00", "#e69f00", "2 3"},
	{memory.TierWarm, "#0072b2", "#56b4e9", ""},
	{memory.TierCold, "#00795a", "#2fc79b", "7 4"},
}

// drawTiers draws the number of memories of each tier at the end of each day. The same
// days give the same bytes.
func drawTiers(days []map[memory.Tier]int) string {
	most := 0
	for _, d := range days {
		for _, s := range strokes {
			most = max(most, d[s.tier])
		}
	}
	const step = 250 // memories between two lines of the grid
	top := (most + step) / step * step
	x := func(day int) float64 {
		return plotLeft + (plotRight-plotLeft)*float64(day)/float64(max(1, len(days)-1))
	}
	y := func(n int) float64 { return plotBottom - (plotBottom-plotTop)*float64(n)/float64(top) }
	var b strings.Builder
	openPlot(&b)
	for n := 0; n <= top; n += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#d0d7de"/>`+"\n", plotLeft, y(n), plotRight, y(n))
		writeText(&b, plotLeft-8, y(n)+4, "end", fmt.Sprint(n))
	}
	for month := range 13 {
		writeText(&b, plotLeft+(plotRight-plotLeft)*float64(month)/12, plotBottom+20, "middle", fmt.Sprint(month))
	}
	writeText(&b, (plotLeft+plotRight)/2, plotBottom+42, "middle", "months")
	for _, s := range strokes {
		var points []string
		for i, d := range days {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y(d[s.tier])))
		}
		dashes := ""
		if s.dashes != "" {
			dashes = fmt.Sprintf(` stroke-dasharray="%s"`, s.dashes)
		}
		fmt.Fprintf(&b, `<polyline class="%s" fill="none" stroke="%s" stroke-width="2"%s points="%s"/>`+"\n", s.tier, s.light, dashes, strings.Join(points, " "))
		if len(days) > 0 {
			last := days[len(days)-1][s.tier]
			writeText(&b, plotRight+6, y(last)+4, "start", fmt.Sprintf("%s %d", s.tier, last))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// openPlot writes the start of the file. The elements carry the colours of a light page;
// the style sheet replaces them on a dark one.
func openPlot(b *strings.Builder) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" font-family="system-ui, sans-serif" font-size="13">`+"\n", plotWidth, plotHeight)
	b.WriteString("<title>Memories by tier over a simulated year</title>\n<style>\n@media (prefers-color-scheme: dark) {\n.paper { fill: #0d1117 } .ink { fill: #e6edf3 } .grid { stroke: #3d444d }\n")
	for _, s := range strokes {
		fmt.Fprintf(b, ".%s { stroke: %s }\n", s.tier, s.dark)
	}
	b.WriteString("}\n</style>\n")
	fmt.Fprintf(b, `<rect class="paper" width="%g" height="%g" fill="#ffffff"/>`+"\n", plotWidth, plotHeight)
	writeText(b, plotLeft, 26, "start", "Memories by tier over a simulated year")
}

func writeText(b *strings.Builder, x, y float64, anchor, text string) {
	fmt.Fprintf(b, `<text class="ink" x="%.1f" y="%.1f" text-anchor="%s" fill="#1f2328">%s</text>`+"\n", x, y, anchor, text)
}
