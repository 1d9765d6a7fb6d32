package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// The size of the plot and the corners of its axes, in SVG units. Title and
// legend are above the axes. A page may scale the plot to any size.
const (
	plotWidth, plotHeight = 720.0, 430.0
	plotLeft, plotRight   = 66.0, 696.0
	plotTop, plotBottom   = 74.0, 366.0
)

// strokes are the colours and dashes of the lanes. The hues are those of Okabe and
// Ito, which colour-blind readers can tell apart, on white and on black. The
// dashes are for prints without colour.
var strokes = map[memory.Lane]struct{ light, dark, dashes string }{
	memory.LaneHybrid: {"#0072b2", "#56b4e9", ""},
	memory.LaneText:   {"#d55e00", "#e69f00", "7 4"},
	memory.LaneVector: {"#00795a", "#2fc79b", "2 4"},
}

// Colours of text, grid and background on a light page and on a dark one.
const (
	inkLight, inkDark     = "#1f2328", "#e6edf3"
	gridLight, gridDark   = "#d0d7de", "#3d444d"
	paperLight, paperDark = "#ffffff", "#0d1117"
)

// writeSVG draws recall against the token budget, with one line a lane, and a
// mark for what recall injects where the report has it. The same report gives the
// same bytes.
func writeSVG(w io.Writer, r eval.Report) error {
	if r.Curve == nil || len(r.Curve.Tokens) < 2 {
		return errors.New("the report has no curve to draw")
	}
	p := &plot{Curve: *r.Curve, floor: lowest(r)}
	p.open(r.Queries)
	p.axes()
	drawn := 0
	for _, lane := range memory.Lanes {
		if _, measured := r.Curve.Recall[lane]; measured {
			p.lane(lane, drawn)
			drawn++
		}
	}
	if r.Blocks != nil {
		p.block(*r.Blocks)
	}
	p.printf("</svg>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// lowest returns where the recall axis begins: the tenth below the lowest value,
// 0.8 at most.
func lowest(r eval.Report) float64 {
	low := 1.0
	for _, values := range r.Curve.Recall {
		for _, v := range values {
			low = min(low, v)
		}
	}
	if r.Blocks != nil {
		low = min(low, r.Blocks.Recall)
	}
	return min(0.8, math.Floor(low*10)/10)
}

// plot is the SVG written so far, and what scales the axes.
type plot struct {
	strings.Builder
	eval.Curve
	floor float64
}

func (p *plot) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// x returns the position of a budget on the token axis. The axis is logarithmic,
// because the first hundred tokens matter more than the last.
func (p *plot) x(tokens float64) float64 {
	first, last := float64(p.Tokens[0]), float64(p.Tokens[len(p.Tokens)-1])
	tokens = min(max(tokens, first), last)
	return plotLeft + (plotRight-plotLeft)*math.Log(tokens/first)/math.Log(last/first)
}

func (p *plot) y(share float64) float64 {
	return plotBottom - (plotBottom-plotTop)*(share-p.floor)/(1-p.floor)
}

// open writes the start of the file. The elements carry the colours of a light
// page, also for programs that ignore style sheets. The style sheet replaces them
// on a dark page.
func (p *plot) open(queries int) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" font-family="system-ui, sans-serif" font-size="13">`+"\n", plotWidth, plotHeight)
	p.printf("<title>Recall against token budget, %d queries</title>\n", queries)
	p.printf("<style>\n@media (prefers-color-scheme: dark) {\n.paper { fill: %s } .ink { fill: %s } .grid { stroke: %s } .mark { fill: %s; stroke: %s }\n", paperDark, inkDark, gridDark, inkDark, paperDark)
	for _, lane := range memory.Lanes {
		p.printf(".%[1]s { stroke: %[2]s } .%[1]s-dot { fill: %[2]s }\n", lane, strokes[lane].dark)
	}
	p.printf("}\n</style>\n")
	p.printf(`<rect class="paper" width="%g" height="%g" fill="%s"/>`+"\n", plotWidth, plotHeight, paperLight)
	p.text(plotLeft, 24, "start", 16, fmt.Sprintf("Recall against token budget, %d queries", queries))
}

func (p *plot) text(x, y float64, anchor string, size int, text string) {
	p.printf(`<text class="ink" x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="%s">%s</text>`+"\n", x, y, anchor, size, inkLight, text)
}

func (p *plot) line(x1, y1, x2, y2 float64) {
	p.printf(`<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`+"\n", x1, y1, x2, y2, gridLight)
}

func (p *plot) axes() {
	for tenth := math.Round(10 * p.floor); tenth <= 10; tenth++ {
		p.line(plotLeft, p.y(tenth/10), plotRight, p.y(tenth/10))
		p.text(plotLeft-8, p.y(tenth/10)+4, "end", 12, fmt.Sprintf("%.0f", 10*tenth))
	}
	for _, tokens := range p.Tokens {
		x := p.x(float64(tokens))
		p.line(x, plotBottom, x, plotBottom+5)
		p.text(x, plotBottom+20, "middle", 12, fmt.Sprint(tokens))
	}
	middle := (plotTop + plotBottom) / 2
	p.text((plotLeft+plotRight)/2, plotBottom+44, "middle", 13, fmt.Sprintf("token budget (tokens of %d bytes, logarithmic), of the first %d hits", eval.BytesPerToken, eval.MaxHits))
	p.printf(`<text class="ink" transform="translate(20 %.1f) rotate(-90)" text-anchor="middle" fill="%s">relevant lines found (%%)</text>`+"\n", middle, inkLight)
}

// legendStep is the width of one lane in the legend.
const legendStep = 92.0

// lane draws one lane: its line, a dot with a tooltip for each value, and its
// name at a position of the legend.
func (p *plot) lane(lane memory.Lane, position int) {
	s, values := strokes[lane], p.Recall[lane]
	var path []string
	for i, v := range values {
		path = append(path, fmt.Sprintf("%.1f,%.1f", p.x(float64(p.Tokens[i])), p.y(v)))
	}
	stroke := fmt.Sprintf(`class="%s" stroke="%s" stroke-width="2.5"`, lane, s.light)
	if s.dashes != "" {
		stroke += fmt.Sprintf(` stroke-dasharray="%s"`, s.dashes)
	}
	p.printf(`<polyline %s fill="none" points="%s"/>`+"\n", stroke, strings.Join(path, " "))
	for i, v := range values {
		p.printf(`<circle class="%s-dot" cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s: %.1f %% within %d tokens</title></circle>`+"\n",
			lane, p.x(float64(p.Tokens[i])), p.y(v), s.light, lane, 100*v, p.Tokens[i])
	}
	x := plotLeft + legendStep*float64(position)
	p.printf(`<line %s x1="%.1f" y1="48" x2="%.1f" y2="48"/>`+"\n", stroke, x, x+28)
	p.text(x+34, 52, "start", 13, string(lane))
}

// block marks what recall injects on the average.
func (p *plot) block(b eval.Blocks) {
	const legend = plotLeft + 3*legendStep
	mark := func(x, y float64, title string) {
		p.printf(`<path class="mark" d="M%.1f %.1fl6 6l-6 6l-6 -6z" fill="%s" stroke="%s"><title>%s</title></path>`+"\n", x, y-6, inkLight, paperLight, title)
	}
	mark(p.x(b.Tokens), p.y(b.Recall), fmt.Sprintf("injected: %.1f %% within %.0f tokens on the average", 100*b.Recall, b.Tokens))
	mark(legend+14, 48, "what recall injects")
	p.text(legend+34, 52, "start", 13, "what recall injects, on the average")
}
