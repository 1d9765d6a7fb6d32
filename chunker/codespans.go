package chunker

import (
	"slices"
	"strings"
)

// spans are parts of a text in ascending order.
type spans []Span

// contains reports whether a byte is in one of the spans.
func (s spans) contains(at int) bool {
	i, found := slices.BinarySearchFunc(s, at, func(x Span, at int) int { return x.Start - at })
	return found || i > 0 && at < s[i-1].End
}

// codeSpans returns the fenced blocks and the inline code of a text. They
// contain no annotations. A backslash added outside of them moves them and
// changes nothing else, so unescape can undo escape.
func codeSpans(s string) spans {
	if strings.IndexByte(s, '`') < 0 && !strings.Contains(s, "~~~") {
		return nil
	}
	var out spans
	fence, opened := "", 0
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:], '\n')
		if end < start {
			end = len(s)
		}
		line := strings.TrimLeft(s[start:end], " \t>")
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]+" \t") == "" {
				out, fence = append(out, Span{opened, end}), ""
			}
		case openingFence(skipMarkers(line)) != "":
			fence, opened = openingFence(skipMarkers(line)), start
		default:
			out = appendInlineCode(out, s[start:end], start)
		}
		start = end + 1
	}
	if fence != "" {
		out = append(out, Span{opened, len(s)})
	}
	return out
}

// skipMarkers returns a line without its leading list markers: a fence may open
// right behind them.
func skipMarkers(line string) string {
	for range maxDepth {
		n := markerLen([]byte(line[:min(len(line), maxMarkerLen)]))
		if n == 0 {
			break
		}
		line = strings.TrimLeft(line[n:], " \t>")
	}
	return line
}

// maxMarkerLen is the length of nine digits, a dot and a blank.
const maxMarkerLen = 11

// openingFence returns the fence that a line opens, or "".
func openingFence(line string) string {
	for _, c := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, c))
		if n >= 3 && !(c == "`" && strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}

// appendInlineCode appends the code spans of a line: text between two equally
// long runs of backticks.
func appendInlineCode(out spans, line string, offset int) spans {
	last := map[int]int{} // length of a run → start of the last run of that length
	for i, n := range backtickRuns(line) {
		last[n] = i
	}
	opened, length := 0, 0
	for i, n := range backtickRuns(line) {
		switch {
		case length == 0 && last[n] > i:
			opened, length = i, n
		case length == n:
			out = append(out, Span{offset + opened, offset + i + n})
			length = 0
		}
	}
	return out
}

// backtickRuns yields the start and the length of each run of backticks.
func backtickRuns(line string) func(yield func(at, n int) bool) {
	return func(yield func(at, n int) bool) {
		for i := strings.IndexByte(line, '`'); i >= 0 && i < len(line); {
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			if !yield(i, n) {
				return
			}
			next := strings.IndexByte(line[i+n:], '`')
			if next < 0 {
				return
			}
			i += n + next
		}
	}
}
