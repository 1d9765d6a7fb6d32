package main

import (
	"fmt"
	"slices"
	"strings"
)

// The sizes of the picture in pixels: two square panels beside each other.
const (
	side         = 260
	left, top    = 60, 40
	betweenSides = 110
	width        = left + 2*side + betweenSides + 20
	height       = top + side + 70
)

// leastMemories is how many memories a bin needs for a point of reliability.
const leastMemories = 20

var colours = []string{"#c2571a", "#1f6fb2", "#3a8f4d", "#7a4fb0"}

// drawing returns the picture: the curve of each report, and how reliable its similarity is.
func drawing(curves []curve) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="Answers and silence by floor, and the share of right memories by similarity">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/><g font-family="sans-serif" font-size="11" fill="#333333">`+"\n", width, height)
	silence := panel{&b, left, "Answers and silence, for each floor", "% of unanswerable questions that get nothing", "% of answers in the block"}
	silence.frame()
	reliability := panel{&b, left + side + betweenSides, "How reliable the similarity is", "similarity, %", "% of these memories that answer"}
	reliability.frame()
	fmt.Fprintf(&b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#999999" stroke-dasharray="4 3"/>`+"\n", reliability.x(0), reliability.y(0), reliability.x(1), reliability.y(1))
	for i, c := range curves {
		colour := colours[i%len(colours)]
		silence.line(c.points(), colour)
		reliability.bins(c, colour)
		x, y := left+i*150, height-12
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="4" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", x, y-4, colour, x+9, y, c.name)
	}
	b.WriteString("</g></svg>\n")
	return b.String()
}

// panel is a square with both axes from 0 to 100 %.
type panel struct {
	b                        *strings.Builder
	from                     float64 // the left edge
	title, labelX, labelLeft string
}

func (p panel) x(share float64) float64 { return p.from + side*share }
func (p panel) y(share float64) float64 { return top + side*(1-share) }

func (p panel) frame() {
	fmt.Fprintf(p.b, `<text x="%.0f" y="22" font-size="13" font-weight="bold">%s</text>`+"\n", p.from, p.title)
	for i := range 6 {
		at := float64(i) / 5
		fmt.Fprintf(p.b, `<path d="M%.1f %.1fH%.1fM%.1f %.1fV%.1f" stroke="#e3e3e3"/>`, p.x(0), p.y(at), p.x(1), p.x(at), p.y(0), p.y(1))
		fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" text-anchor="end">%d</text><text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`+"\n", p.x(0)-5, p.y(at)+4, 20*i, p.x(at), p.y(0)+15, 20*i)
	}
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, p.x(0.5), p.y(0)+32, p.labelX)
	fmt.Fprintf(p.b, `<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n", p.from-34, p.y(0.5), p.labelLeft)
}

// labelled lists the floors that have a label. Those between are close to each other.
var labelled = []float64{0.1, 0.2, 0.3, 0.6}

// line draws one curve.
func (p panel) line(points []floorPoint, colour string) {
	var path strings.Builder
	for i, at := range points {
		fmt.Fprintf(&path, "%c%.1f %.1f", "LM"[btoi(i == 0)], p.x(at.empty), p.y(at.answered))
	}
	fmt.Fprintf(p.b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", path.String(), colour)
	for _, at := range points {
		if !slices.Contains(labelled, at.floor) {
			continue
		}
		fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/><text x="%.1f" y="%.1f" font-size="9">%.1f</text>`+"\n",
			p.x(at.empty), p.y(at.answered), colour, p.x(at.empty)+4, p.y(at.answered)-4, at.floor)
	}
}

// bins draws a point for each bin, in its middle.
func (p panel) bins(c curve, colour string) {
	width := 1 / float64(len(c.bins))
	for _, bin := range c.bins {
		if bin.Memories >= leastMemories {
			fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`+"\n", p.x(bin.From+width/2), p.y(share(bin.Right, bin.Memories)), colour)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
