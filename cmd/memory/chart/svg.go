package chart

import (
	"fmt"
	"html"
	"strings"

	"github.com/memory-tiered/memory"
)

// The sizes of the SVG plot, in its units. A page may scale it.
const (
	svgWidth, svgHeight   = 720.0, 580.0
	svgLeft, svgRight     = 60.0, 690.0
	linesTop, linesBottom = 70.0, 300.0
	barsTop, barsBottom   = 392.0, 542.0
)

// svgStrokes are colours and dashes of the tiers, and of what is unknown. The hues are
// those of Okabe and Ito, which colour-blind readers can tell apart.
var svgStrokes = []struct{ colour, dashes string }{
	{"#d55e00", ""}, {"#e69f00", "8 3"}, {"#0072b2", "4 3"}, {"#666666", "2 3"}, {"#000000", "1 5"},
}

// SVG draws the chart for a page. name is the workspace's, as it may be shown.
func (c Chart) SVG(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	svgText(&b, svgLeft, 24, "start", 16, "Memories of "+name)
	svgLines(&b, c.History)
	svgBars(&b, c.Ages)
	for i, note := range c.History.Notes {
		svgText(&b, svgLeft, linesBottom+32+12*float64(i), "start", 9, note)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func svgText(b *strings.Builder, x, y float64, anchor string, size int, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="#222222">%s</text>`+"\n", x, y, anchor, size, html.EscapeString(text))
}

// svgLines draws one line for each tier, with a legend above.
func svgLines(b *strings.Builder, h memory.TierHistory) {
	names, lines := series(h)
	most := 1.0
	for _, line := range lines {
		for _, n := range line {
			most = max(most, n)
		}
	}
	svgGrid(b, linesTop, linesBottom, most)
	for i, line := range lines {
		stroke := svgStrokes[i]
		x := svgLeft + float64(i)*130
		fmt.Fprintf(b, `<line x1="%.1f" y1="45" x2="%.1f" y2="45" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", x, x+24, stroke.colour, stroke.dashes)
		svgText(b, x+30, 49, "start", 12, names[i])
		var points []string
		for n, value := range line {
			at := svgRight
			if len(line) > 1 {
				at = svgLeft + (svgRight-svgLeft)*float64(n)/float64(len(line)-1)
			}
			points = append(points, fmt.Sprintf("%.1f,%.1f", at, linesBottom-(linesBottom-linesTop)*value/most))
		}
		if len(points) == 1 { // one day is a short line
			points = append([]string{fmt.Sprintf("%.1f%s", svgLeft, points[0][strings.IndexByte(points[0], ','):])}, points...)
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(points, " "), stroke.colour, stroke.dashes)
	}
	if n := len(h.Days); n > 0 {
		svgText(b, svgLeft, linesBottom+16, "start", 11, h.Days[0].Day)
		svgText(b, svgRight, linesBottom+16, "end", 11, h.Days[n-1].Day)
	}
}

// svgGrid draws a line with its value at the top, in the middle and at the bottom.
func svgGrid(b *strings.Builder, top, bottom, most float64) {
	for _, share := range []float64{0, 0.5, 1} {
		y := bottom - (bottom-top)*share
		fmt.Fprintf(b, `<line x1="%g" y1="%.1f" x2="%g" y2="%.1f" stroke="#dddddd"/>`+"\n", svgLeft, y, svgRight, y)
		svgText(b, svgLeft-6, y+4, "end", 11, fmt.Sprintf("%g", most*share))
	}
}

// svgBars draws one bar for each age.
func svgBars(b *strings.Builder, ages []memory.AgeCount) {
	most := 1
	for _, age := range ages {
		most = max(most, age.Count)
	}
	svgGrid(b, barsTop, barsBottom, float64(most))
	svgText(b, svgLeft, barsTop-12, "start", 13, "by age")
	width := (svgRight - svgLeft) / float64(max(1, len(ages)))
	for i, age := range ages {
		x, height := svgLeft+width*float64(i), (barsBottom-barsTop)*float64(age.Count)/float64(most)
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#0072b2"/>`+"\n", x+width/4, barsBottom-height, width/2, height)
		svgText(b, x+width/2, barsBottom+16, "middle", 11, AgeName(age))
		svgText(b, x+width/2, barsBottom-height-4, "middle", 11, fmt.Sprint(age.Count))
	}
}
