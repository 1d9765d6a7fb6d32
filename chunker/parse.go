package chunker

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/memory-tiered/memory"
)

// unit is one construct at the top level of the body. It spans from the start
// of its first line to the end of its last line that is not blank.
type unit struct {
	Span
	kind      memory.BlockKind // empty: not a memory, see skipped
	skipped   SkippedKind
	level     int    // of a heading, else 0
	firstItem bool   // it is the first item of its list
	leads     bool   // it is a lead-in with annotations, over bullets
	leadLen   int    // length of the lead-in at its start, in bytes
	attached  []Span // comments and a block id behind it that belong to it
}

// end returns where the unit ends, including its attached spans.
func (u unit) end() int {
	if n := len(u.attached); n > 0 {
		return u.attached[n-1].End
	}
	return u.End
}

// blanks are the characters of a line that counts as empty, in the parser and
// here.
const blanks = " \t\r\n"

// blockParser parses all block constructs and nothing inside lines. It leaves
// out goldmark's link definitions and its table extension, which take quadratic
// time or space on hostile input. regroup.go and table.go replace them.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 100)),
	)
})

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

// listParser fixes a bug of goldmark's. An empty item inside an item, followed
// by a blank line, ends the outer list although the next line is indented.
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

// containerParser drops the children of a finished item or quote. Only its
// start is needed, and the children of a large file would fill the memory.
type containerParser struct{ parser.BlockParser }

func (p containerParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	p.BlockParser.Close(n, r, pc)
	n.RemoveChildren(n)
}

// paragraphParser keeps only the start of a paragraph, because goldmark would
// make a node of every line.
type paragraphParser struct{ parser.BlockParser }

func (p paragraphParser) Close(n ast.Node, r text.Reader, pc parser.Context) {
	// Where the next line may be an underline, the parser closes a paragraph
	// before it calls the transformers.
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

// parseUnits returns the constructs of the body in order. The parser gives
// their starts. A construct ends before the blanks in front of the next start.
func parseUnits(src []byte, bodyStart int) []unit {
	root := blockParser().Parse(text.NewReader(parserInput(src[bodyStart:])))
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

// lineStart returns where the last line of b begins.
func lineStart(b []byte) int { return bytes.LastIndexAny(b, "\r\n") + 1 }

// countUnits counts the units of a body.
func countUnits(root ast.Node) int {
	count := 0
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		count += max(1, n.ChildCount())
	}
	return count
}

// newUnit returns the unit of a node, without its span.
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
