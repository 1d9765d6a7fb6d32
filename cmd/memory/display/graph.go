package display

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"github.com/memory-tiered/memory/knowledge"
)

// GraphFormats lists the formats of a graph, the default first.
var GraphFormats = []string{"text", "dot", "svg", "json"}

// branch is an edge in the tree of a graph.
type branch struct {
	knowledge.Edge
	name   string // the end that is farther from the root
	parent int    // the row of the other end; the root has row 0
}

// branches returns the edges as a tree, each below the name that it was reached from.
func branches(g knowledge.Graph) (rows []branch) {
	printed := make([]bool, len(g.Edges))
	var add func(name string, hops, parent int)
	add = func(name string, hops, parent int) {
		for i, e := range g.Edges {
			if !printed[i] && e.Hops == hops && (e.Subject == name || e.Object == name) {
				printed[i] = true
				rows = append(rows, branch{e, e.Other(name), parent})
				add(e.Other(name), hops+1, len(rows))
			}
		}
	}
	add(g.Name, 1, 0)
	return rows
}

// label returns what a branch says.
func (b branch) label() string {
	since := b.Since.Local().Format(time.DateOnly)
	switch {
	case b.Kind == knowledge.Together:
		return fmt.Sprintf("with %s, in %s", b.name, MemoryCount(b.Memories))
	case b.Until != nil:
		since += " to " + b.Until.Local().Format(time.DateOnly)
	default:
		since = "since " + since
	}
	arrow := "→"
	if b.Subject == b.name {
		arrow = "←"
	}
	return fmt.Sprintf("%s %s %s, %s", b.Relation, arrow, b.name, since)
}

// Graph prints what is related to a name, in a format.
func Graph(w io.Writer, g knowledge.Graph, format string) {
	switch rows := branches(g); format {
	case "dot":
		graphDOT(w, g)
	case "svg":
		graphSVG(w, g, rows)
	default:
		fmt.Fprintln(w, Name(g.Name))
		for _, b := range rows {
			fmt.Fprintf(w, "%s%s  %s\n", strings.Repeat("  ", b.Hops), Name(b.label()), Name(b.places()))
		}
	}
}

// places returns the newest source, and the number of the others.
func (b branch) places() string {
	text := b.Sources[0].Place
	if b.Memories > 1 {
		text += fmt.Sprintf(" and %d more", b.Memories-1)
	}
	if b.Trust != "trusted" {
		text += " (" + string(b.Trust) + ")"
	}
	return text
}

// edgeStyles are those of Graphviz, by the kind of an edge.
var edgeStyles = map[knowledge.Kind]string{knowledge.Link: ` style="dashed"`, knowledge.Together: ` style="dotted" dir="none"`}

func graphDOT(w io.Writer, g knowledge.Graph) {
	quote := func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Name(s)) + `"` }
	fmt.Fprintf(w, "digraph {\n  %s [shape=box]\n", quote(g.Name))
	for _, e := range g.Edges {
		style := edgeStyles[e.Kind]
		if e.Until != nil {
			style = ` color="gray"`
		}
		fmt.Fprintf(w, "  %s -> %s [label=%s%s]\n", quote(e.Subject), quote(e.Object), quote(e.Relation), style)
	}
	fmt.Fprintln(w, "}")
}

// graphSVG draws the tree: one row for each name, with a line to the one that it is related to.
func graphSVG(w io.Writer, g knowledge.Graph, rows []branch) {
	const row, indent, margin, width = 24, 28, 16, 900
	at := func(i, hops int) (x, y int) { return margin + hops*indent, margin + i*row + row/2 }
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n", width, 2*margin+(len(rows)+1)*row)
	write := func(i, hops int, text, attributes string) {
		x, y := at(i, hops)
		fmt.Fprintf(w, `<text x="%d" y="%d"%s>%s</text>`+"\n", x+4, y+4, attributes, html.EscapeString(Name(text)))
	}
	write(0, 0, g.Name, ` font-weight="bold"`)
	for i, b := range rows {
		x, y := at(i+1, b.Hops)
		px, py := at(b.parent, b.Hops-1)
		fmt.Fprintf(w, `<path d="M%d %dV%dH%d" fill="none" stroke="#888"/>`+"\n", px+8, py+8, y, x)
		fill := ""
		if b.Until != nil {
			fill = ` fill="#888"`
		}
		write(i+1, b.Hops, b.label(), fill)
	}
	fmt.Fprintln(w, "</svg>")
}
