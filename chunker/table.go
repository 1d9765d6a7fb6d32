package chunker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tableTransformer turns a paragraph with a header row and a delimiter row into
// a table. It makes no cells: goldmark's own extension fills short rows up to
// the header's width, which takes quadratic space.
type tableTransformer struct{}

// tableNode marks where a table begins.
type tableNode struct{ ast.BaseBlock }

var kindTable = ast.NewNodeKind("BareTable")

func (*tableNode) Kind() ast.NodeKind            { return kindTable }
func (t *tableNode) Dump(source []byte, lvl int) { ast.DumpHelper(t, source, lvl, nil, nil) }

// Transform handles paragraphs at the top level only. A paragraph inside an
// item or a quote belongs to its text in any case.
func (tableTransformer) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
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
	t := &tableNode{}
	t.SetPos(p.Lines().At(header).Start)
	parent.ReplaceChild(parent, p, t)
}

// headerRow returns the line above the first delimiter row with as many
// columns, or -1.
func headerRow(lines *text.Segments, src []byte) int {
	for i := 1; i < lines.Len(); i++ {
		row := lines.At(i)
		cols := delimiterColumns(row.Value(src))
		if cols == 0 {
			continue
		}
		above := lines.At(i - 1)
		if countCells(above.Value(src)) == cols {
			return i - 1
		}
	}
	return -1
}

// delimiterColumns returns the number of columns of a delimiter row, or 0 for
// any other row. A row without a pipe is the underline of a heading.
func delimiterColumns(row []byte) int {
	cols := 0
	if bytes.IndexByte(row, '|') < 0 {
		return 0
	}
	for cell := range bytes.SplitSeq(trimOuterPipes(row), []byte("|")) {
		cell = bytes.Trim(cell, blanks)
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
		cols++
	}
	return cols
}

// countCells counts the cells of a row. An escaped pipe separates none.
func countCells(row []byte) int {
	row = trimOuterPipes(row)
	return 1 + bytes.Count(row, []byte("|")) - bytes.Count(row, []byte(`\|`))
}

// trimOuterPipes returns a row without its outer pipes.
func trimOuterPipes(row []byte) []byte {
	row = bytes.TrimPrefix(bytes.Trim(row, blanks), []byte("|"))
	if inner := bytes.TrimSuffix(row, []byte("|")); !bytes.HasSuffix(inner, []byte(`\`)) {
		row = inner
	}
	return row
}

// cells returns the cells of a row. An escaped pipe stays in its cell.
func cells(row string) (list []string) {
	inCell := ""
	for part := range strings.SplitSeq(string(trimOuterPipes([]byte(row))), "|") {
		if strings.HasSuffix(part, `\`) {
			inCell += part + "|"
			continue
		}
		list, inCell = append(list, strings.Trim(inCell+part, blanks)), ""
	}
	if inCell != "" {
		list = append(list, strings.Trim(strings.TrimSuffix(inCell, "|"), blanks))
	}
	return list
}

// maxSplitRows is the number of rows up to which each row of a table is indexed apart.
// A longer table is data, and its vectors would outnumber those of all notes.
const maxSplitRows = 200

// findTable finds the first table of a text: the lines above it, the names of its columns, and
// its rows. Without a table, all are empty.
func findTable(text string) (above []string, header string, rows []string) {
	if strings.IndexByte(text, '|') < 0 {
		return nil, "", nil
	}
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if cols := delimiterColumns([]byte(lines[i])); cols > 0 && countCells([]byte(lines[i-1])) == cols {
			return lines[:i-1], lines[i-1], lines[i+1:]
		}
	}
	return nil, "", nil
}

// WithoutColumnNames returns the text of a table without the names of its columns and the
// borders of its cells: its lead-in, then the rows. A table without cells below the names,
// and any other text, stays as it is.
func WithoutColumnNames(text string) string {
	without, _, rows := findTable(text)
	hasCells := false
	for _, row := range rows {
		row = strings.Join(cells(row), " ")
		without, hasCells = append(slices.Clip(without), row), hasCells || strings.TrimSpace(row) != ""
	}
	if !hasCells {
		return text
	}
	return strings.Join(without, "\n")
}

// Table returns the names of the columns of a table, and the cells of its rows. A row has
// as many cells as its line. Another text, and a table with too many rows, has none.
func Table(text string) (columns []string, rows [][]string) {
	_, header, lines := findTable(strings.TrimSpace(text))
	if len(lines) > maxSplitRows {
		return nil, nil
	}
	for _, line := range lines {
		if strings.IndexByte(line, '|') >= 0 {
			rows = append(rows, cells(line))
		}
	}
	if rows == nil {
		return nil, nil
	}
	return cells(header), rows
}
