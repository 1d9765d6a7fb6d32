package chunker

import (
	"bytes"
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
)

const (
	// maxDepth limits how deep containers nest; deeper markers are text. The
	// parser's time grows with the square of the depth, and people nest less
	// than a third as deep.
	maxDepth = 32
	// maxMarkerColumn is the last column where a marker counts. It stops deep
	// nesting over many lines: a list takes two to four columns a level.
	maxMarkerColumn = 4 * maxDepth
	// maxBlankLines limits the blank lines in a row that the parser sees. It
	// keeps every line of a list, at the depth of the list.
	maxBlankLines = 4
	// maxTableComment is the length in bytes up to which comments between two rows
	// leave a table whole.
	maxTableComment = 1000
)

// wholeLineComments matches comments that fill the lines at the start of a text, up to the
// line below them.
var wholeLineComments = lazyregexp.New(`^(?:[ \t]*<!--(?s:.*?)-->[ \t]*(?:\n|$))+`)

// parserInput returns the source as the parser gets it. Lines end with a line
// feed, markers nested too deep are text, long runs of blank lines are short.
// Comments between the rows of a table are rows. Every byte keeps its position. If nothing has to change, the result is the
// source itself.
func parserInput(src []byte) []byte {
	src = normalizeLineEnds(src)
	v := inputEditor{src: src, out: src}
	blankLines, above := 0, 0 // above is where the line above starts
	for start := 0; start < len(v.out); {
		end := start + bytes.IndexByte(v.out[start:], '\n') + 1
		if end == start {
			end = len(v.out)
		}
		first := start
		for first < end && strings.IndexByte(blanks, v.out[first]) >= 0 {
			first++
		}
		switch {
		case first < end:
			blankLines = 0
			v.disableDeepMarkers(start, first, end)
			if bytes.HasPrefix(v.out[first:end], []byte("<!--")) && isRow(v.out[above:start]) {
				v.joinRows(first)
			}
		case blankLines >= maxBlankLines:
			v.set(start-1, ' ') // join this blank line to the one before
		default:
			blankLines++
		}
		above, start = start, end
	}
	return v.out
}

type inputEditor struct{ src, out []byte }

// set changes one byte of the output and copies the source before the first
// change.
func (v *inputEditor) set(i int, c byte) {
	if &v.out[0] == &v.src[0] {
		v.out = bytes.Clone(v.src)
	}
	v.out[i] = c
}

// normalizeLineEnds turns CRLF into a blank and a line feed, and a lone
// carriage return into a line feed. Without any it returns the source itself.
func normalizeLineEnds(src []byte) []byte {
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	out := bytes.Clone(src)
	for i, c := range out {
		switch {
		case c != '\r':
		case i+1 < len(out) && out[i+1] == '\n':
			out[i] = ' '
		default:
			out[i] = '\n'
		}
	}
	return out
}

// joinRows turns the lines of comments into rows if a row is below them. A parser would
// end the table there, and what a comment declares about a table applies to all its rows.
func (v *inputEditor) joinRows(start int) {
	comments := wholeLineComments().Find(v.out[start:min(len(v.out), start+maxTableComment)])
	end := start + len(comments)
	below, _, _ := bytes.Cut(v.out[end:], []byte("\n"))
	if comments == nil || !isRow(below) {
		return
	}
	for line := range bytes.Lines(comments) {
		if indent := len(line) - len(bytes.TrimLeft(line, blanks)); indent < len(line) {
			v.set(start+indent, '|')
		}
		start += len(line)
	}
}

// isRow reports whether a line may be a row of a table at the top level.
func isRow(line []byte) bool {
	line = bytes.TrimLeft(line, blanks)
	return bytes.IndexByte(line, '|') >= 0 && markdown.MarkerLen(line) == 0 && strings.IndexByte("#<`~", line[0]) < 0
}

// disableDeepMarkers turns the markers of a line that nest too deep into text.
// The first byte of the line that is not blank is at first.
func (v *inputEditor) disableDeepMarkers(start, first, end int) {
	line := v.out[first:end]
	column := first - start
	if column > maxMarkerColumn/4 { // the indentation may contain tabs
		column = columnWidth(string(v.out[start:first]), 0)
	}
	if column <= maxMarkerColumn && !mayNestDeeper(line, maxDepth-1) || isRule(line) {
		return
	}
	depth := 0
	for i := 0; ; depth++ {
		n := markdown.MarkerLen(line[i:])
		if n == 0 {
			return
		}
		if depth >= maxDepth || column+i > maxMarkerColumn {
			v.set(first+i+n-1, ',')
		}
		i += n
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
	}
}

// mayNestDeeper is a cheap test: it reports whether a line may begin with more
// than n markers. Each marker takes at least a byte, and none contains a
// letter.
func mayNestDeeper(line []byte, n int) bool {
	return len(line) > n && markdown.MarkerLen(line) > 0 && bytes.IndexByte([]byte(">-*+. )\t0123456789"), line[n]) >= 0
}

// isRule reports whether a line contains nothing but one repeated mark of a
// thematic break.
func isRule(line []byte) bool {
	for _, c := range line[1:] {
		if c != line[0] && strings.IndexByte(blanks, c) < 0 {
			return false
		}
	}
	return line[0] == '-' || line[0] == '*' || line[0] == '_'
}
