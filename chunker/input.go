package chunker

import (
	"bytes"
	"strings"
)

const (
	// maxDepth is how many containers may nest. Beyond it markers are read as
	// text: the parser's time grows with the square of the depth, and no person
	// nests a third as deep.
	maxDepth = 32
	// maxMarkerColumn is the column up to which a marker is one, so that deeper nesting
	// cannot be built over many lines either: a list takes two to four columns a
	// level.
	maxMarkerColumn = 4 * maxDepth
	// maxBlankLines is how many blank lines in a row the parser sees as such: it
	// remembers every line of a list, at the depth of the list.
	maxBlankLines = 4
)

// parserInput is the source as the parser sees it: lines end with a line feed, markers
// nested too deep are text, long runs of blank lines are short. No byte moves,
// and where nothing is to be changed it is the source itself.
func parserInput(src []byte) []byte {
	src = normalizeLineEnds(src)
	v := inputEditor{src: src, out: src}
	blankLines := 0
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
		case blankLines >= maxBlankLines:
			v.set(start-1, ' ') // joins this blank line to the one before
		default:
			blankLines++
		}
		start = end
	}
	return v.out
}

type inputEditor struct{ src, out []byte }

func (v *inputEditor) set(i int, c byte) {
	if &v.out[0] == &v.src[0] {
		v.out = bytes.Clone(v.src)
	}
	v.out[i] = c
}

// normalizeLineEnds makes CRLF a blank and a line feed, and a carriage return alone a line
// feed. Where there is none it gives the source itself.
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

// disableDeepMarkers takes the meaning off markers that nest too deep, in the line whose
// first mark is at first.
func (v *inputEditor) disableDeepMarkers(start, first, end int) {
	line := v.out[first:end]
	column := first - start
	if column > maxMarkerColumn/4 { // it may hold tabs
		column = columnWidth(string(v.out[start:first]), 0)
	}
	if column <= maxMarkerColumn && !mayNestDeeper(line, maxDepth-1) || isRule(line) {
		return
	}
	depth := 0
	for i := 0; ; depth++ {
		n := markerLen(line[i:])
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

// mayNestDeeper says quickly that a line may begin with more than n markers: each takes
// a byte, and none is a letter.
func mayNestDeeper(line []byte, n int) bool {
	return len(line) > n && markerLen(line) > 0 && bytes.IndexByte([]byte(">-*+. )\t0123456789"), line[n]) >= 0
}

// markerLen is the length of the list or quote marker that a line begins with.
func markerLen(line []byte) int {
	digits := 0
	for digits < len(line) && digits < 10 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits >= len(line) || digits == 10 {
		return 0
	}
	n := digits + 1
	switch c := line[digits]; {
	case c == '>' && digits == 0:
		return n
	case digits > 0 && (c == '.' || c == ')'), digits == 0 && (c == '-' || c == '*' || c == '+'):
		if n == len(line) || strings.IndexByte(blanks, line[n]) >= 0 {
			return n
		}
	}
	return 0
}

// isRule says that a line is nothing but one mark of a thematic break, repeated.
func isRule(line []byte) bool {
	for _, c := range line[1:] {
		if c != line[0] && strings.IndexByte(blanks, c) < 0 {
			return false
		}
	}
	return line[0] == '-' || line[0] == '*' || line[0] == '_'
}
