package chunker

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables makes a table of a paragraph that holds a header and a delimiter row
// under it. It makes no cells: goldmark's own fills short rows up to the
// header's width, which is quadratic in space.
type tables struct{}

// table is where one begins.
type table struct{ ast.BaseBlock }

var kindTable = ast.NewNodeKind("BareTable")

func (*table) Kind() ast.NodeKind            { return kindTable }
func (t *table) Dump(source []byte, lvl int) { ast.DumpHelper(t, source, lvl, nil, nil) }

// Transform looks at paragraphs at the top level: those inside an item or a
// quote are the item's or the quote's text whatever they are.
func (tables) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	parent := p.Parent()
	if parent == nil || parent.Kind() != ast.KindDocument {
		return
	}
	header := headerRow(p.Lines(), r.Source())
	if header < 0 {
		return
	}
	if header > 0 {
		before := ast.NewParagraph()
		before.SetLines(text.NewSegments())
		before.Lines().AppendAll(p.Lines().Sliced(0, header))
		parent.InsertBefore(parent, p, before)
	}
	t := &table{}
	t.SetPos(p.Lines().At(header).Start)
	parent.ReplaceChild(parent, p, t)
}

// headerRow is the line above the first delimiter row of as many columns, -1
// where there is none.
func headerRow(lines *text.Segments, src []byte) int {
	for i := 1; i < lines.Len(); i++ {
		row := lines.At(i)
		cols := delimiters(row.Value(src))
		if cols == 0 {
			continue
		}
		above := lines.At(i - 1)
		if columnsOf(above.Value(src)) == cols {
			return i - 1
		}
	}
	return -1
}

// delimiters counts the columns of a delimiter row, 0 where it is none. One
// without a pipe is the underline of a heading.
func delimiters(row []byte) int {
	cols := 0
	if bytes.IndexByte(row, '|') < 0 {
		return 0
	}
	for cell := range bytes.SplitSeq(cellsOf(row), []byte("|")) {
		cell = bytes.Trim(cell, blank)
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
		cols++
	}
	return cols
}

// columnsOf counts the cells of a row: an escaped pipe parts none.
func columnsOf(row []byte) int {
	row = cellsOf(row)
	return 1 + bytes.Count(row, []byte("|")) - bytes.Count(row, []byte(`\|`))
}

// cellsOf is a row without its outer pipes.
func cellsOf(row []byte) []byte {
	row = bytes.TrimPrefix(bytes.Trim(row, blank), []byte("|"))
	if inner := bytes.TrimSuffix(row, []byte("|")); !bytes.HasSuffix(inner, []byte(`\`)) {
		row = inner
	}
	return row
}
