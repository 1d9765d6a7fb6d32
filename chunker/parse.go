package chunker

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/memory-tiered/memory"
)

// unit is one construct at the top level of the body, from the start of its
// first line to the end of its last that is not blank.
type unit struct {
	Span
	kind      memory.BlockKind // empty: no memory, and other says why
	skipped   SkippedKind
	level     int    // of a heading
	firstItem bool   // first item of its list
	leadLen   int    // how many bytes at its start are a lead-in
	attached  []Span // comments and a block id that stand behind it and belong to it
}

// end is where the unit ends together with what belongs to it.
func (u unit) end() int {
	if n := len(u.attached); n > 0 {
		return u.attached[n-1].End
	}
	return u.End
}

// blanks is what a line may hold and still be empty, for the parser as for us.
const blanks = " \t\r\n"

// blockParser knows every block construct and nothing inside lines. Goldmark's
// transformer for link definitions and its table extension are not in it: both
// take quadratic time or space on hostile input (definitions.go, table.go).
var blockParser = parser.NewParser(
	parser.WithBlockParsers(blockParsers()...),
	parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 100)),
)

func blockParsers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		switch p.Value {
		case parser.NewListParser():
			all[i].Value = listParser{parser.NewListParser()}
		case parser.NewListItemParser():
			all[i].Value = containerParser{parser.NewListItemParser()}
		case parser.NewBlockquoteParser():
			all[i].Value = containerParser{parser.NewBlockquoteParser()}
		case parser.NewParagraphParser():
			all[i].Value = paragraphParser{parser.NewParagraphParser()}
		}
	}
	return all
}

// listParser mends goldmark's: there, an empty item inside an item, with a blank
// line after it, ends the outer list although the next line is indented.
type listParser struct{ parser.BlockParser }

func (p listParser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	state := p.BlockParser.Continue(n, r, pc)
	last, ok := n.LastChild().(*ast.ListItem)
	if state != parser.Close || !ok || last.ChildCount() == 0 {
		return state
	}
	line, _ := r.PeekLine()
	if indent, _ := util.IndentWidth(line, r.LineOffset()); indent < last.Offset {
		return state
	}
	return parser.Continue | parser.HasChildren
}

// containerParser forgets what was in an item or a quote once it is over: only where
// it began counts, and a large file would fill the memory with the rest.
type containerParser struct{ parser.BlockParser }

func (p containerParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	p.BlockParser.Close(n, r, pc)
	n.RemoveChildren(n)
}

// paragraphParser likewise keeps a paragraph's beginning alone: goldmark would
// make a node of every line.
type paragraphParser struct{ parser.BlockParser }

func (p paragraphParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	// Under a line that may be an underline the parser closes a paragraph before
	// it lets transformers look at it.
	tableTransformer{}.Transform(n.(*ast.Paragraph), r, pc)
	if n.Parent() == nil {
		return
	}
	p.BlockParser.Close(n, r, pc)
	if lines := n.Lines(); lines.Len() > 0 {
		at := lines.At(0).Start
		lines.SetSliced(0, 1)
		lines.Set(0, text.NewSegment(at, at))
	}
}

// parseUnits finds the constructs. The parser gives starts; an end is the next start
// less the blanks before it.
func parseUnits(src []byte, bodyStart int) []unit {
	root := blockParser.Parse(text.NewReader(parserInput(src[bodyStart:])))
	units := make([]unit, 0, countUnits(root))
	add := func(n ast.Node, u unit) {
		at := bodyStart + max(0, min(n.Pos(), len(src)-bodyStart))
		u.Start = bodyStart + lineStart(src[bodyStart:at])
		units = append(units, u)
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if list, ok := n.(*ast.List); ok && !list.IsOrdered() {
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				add(item, unit{kind: memory.KindItem, firstItem: item.PreviousSibling() == nil})
			}
			continue
		}
		add(n, newUnit(n))
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(a.Start, b.Start) })
	units = slices.CompactFunc(units, func(a, b unit) bool { return a.Start == b.Start })
	for i := range units {
		end := len(src)
		if i+1 < len(units) {
			end = units[i+1].Start
		}
		units[i].End = units[i].Start + len(bytes.TrimRight(src[units[i].Start:end], blanks))
	}
	return slices.DeleteFunc(units, func(u unit) bool { return u.Start >= u.End })
}

// lineStart is where the last line of b begins.
func lineStart(b []byte) int { return bytes.LastIndexAny(b, "\r\n") + 1 }

// countUnits counts the units of a body.
func countUnits(root ast.Node) int {
	count := 0
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		count += max(1, n.ChildCount())
	}
	return count
}

func newUnit(n ast.Node) unit {
	switch n := n.(type) {
	case *ast.Heading:
		return unit{skipped: SkippedHeading, level: n.Level}
	case *ast.ThematicBreak:
		return unit{skipped: SkippedRule}
	case *ast.List:
		return unit{kind: memory.KindList}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return unit{kind: memory.KindCode}
	case *ast.Blockquote:
		return unit{kind: memory.KindQuote}
	case *ast.HTMLBlock:
		return unit{kind: memory.KindHTML}
	case *tableNode:
		return unit{kind: memory.KindTable}
	}
	return unit{kind: memory.KindParagraph}
}
