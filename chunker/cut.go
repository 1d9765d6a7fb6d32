// Package chunker cuts Markdown into blocks with exact byte spans, and blocks
// into chunks. It alone knows what in a file is one thing that a person said,
// and how a text is written as a bullet so that it reads back the same.
//
// It is pure: the same bytes give the same blocks. Only the block structure is
// parsed; what stands inside a line is looked at afterwards, in annotate.go.
package chunker

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/memory-tiered/memory"
)

// Span is bytes of a file, [Start, End).
type Span struct{ Start, End int }

// Layout is everything that a file's body holds.
type Layout struct {
	Blocks []memory.Block
	Others []Span // headings, lead-ins, rules, link definitions, comments: no memories
}

// Blocks gives what a file says. body is where its front matter ends; spans and
// lines count from the file's first byte all the same. Blocks come in order and
// never overlap.
func Blocks(src []byte, body int) []memory.Block { return Cut(src, body).Blocks }

// Cut gives everything that the body holds: every byte that is not blank is in
// exactly one span.
func Cut(src []byte, body int) Layout {
	body = max(0, min(body, len(src)))
	c := &cutter{src: src, body: body}
	c.units = c.parse()
	c.join()
	c.emit()
	return c.out
}

// unit is one construct at the top level of the body, from the start of its
// first line to the end of its last that is not blank.
type unit struct {
	Span
	kind  memory.BlockKind // empty: no memory
	level int              // of a heading
	first bool             // first item of its list
	loose []Span           // comment lines behind it that belong to it
}

type cutter struct {
	src   []byte
	body  int
	units []unit
	out   Layout
}

var blockParser = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
)

// parse finds the constructs. The parser gives starts; an end is the next start
// less the blank lines before it.
func (c *cutter) parse() []unit {
	root := blockParser.Parse(text.NewReader(shallow(c.src[c.body:])))
	var units []unit
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		list, ok := n.(*ast.List)
		if !ok || list.IsOrdered() {
			units = append(units, c.unit(n))
			continue
		}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			u := c.unit(item)
			u.kind, u.first = memory.KindItem, item.PreviousSibling() == nil
			units = append(units, u)
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(a.Start, b.Start) })
	units = slices.CompactFunc(units, func(a, b unit) bool { return a.Start == b.Start })
	for i := range units {
		end := len(c.src)
		if i+1 < len(units) {
			end = units[i+1].Start
		}
		units[i].End = units[i].Start + len(bytes.TrimRight(c.src[units[i].Start:end], " \t\r\n"))
	}
	return slices.DeleteFunc(units, func(u unit) bool { return u.Start >= u.End })
}

func (c *cutter) unit(n ast.Node) unit {
	at := c.body + max(0, min(n.Pos(), len(c.src)-c.body))
	start := max(c.body, bytes.LastIndexByte(c.src[:at], '\n')+1)
	u := unit{Span: Span{Start: start}}
	switch n := n.(type) {
	case *ast.Heading:
		u.level = n.Level
	case *ast.List:
		u.kind = memory.KindList
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		u.kind = memory.KindCode
	case *ast.Blockquote:
		u.kind = memory.KindQuote
	case *ast.HTMLBlock:
		u.kind = memory.KindHTML
	case *extast.Table:
		u.kind = memory.KindTable
	case *ast.Paragraph, *ast.TextBlock:
		u.kind = memory.KindParagraph
	}
	return u
}

// deepest is how many containers may nest in one line: beyond it the parser's
// time grows with the square, and no person writes so.
const deepest = 64

// shallow gives the source with the markers of containers nested too deep made
// ordinary text, for the parser alone. No byte moves.
func shallow(src []byte) []byte {
	out := src
	for start := 0; start < len(src); {
		end := start + bytes.IndexByte(src[start:], '\n') + 1
		if end == start {
			end = len(src)
		}
		markers := 0
		for i := start; i < end && bytes.IndexByte([]byte(" \t>-*+"), src[i]) >= 0; i++ {
			if src[i] == ' ' || src[i] == '\t' {
				continue
			}
			if markers++; markers > deepest {
				if &out[0] == &src[0] {
					out = bytes.Clone(src)
				}
				out[i] = '.'
			}
		}
		start = end
	}
	return out
}
