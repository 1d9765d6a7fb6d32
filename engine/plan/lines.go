package plan

import (
	"bytes"
	"slices"
	"strings"

	"znkr.io/diff"
)

// linesOf cuts a text into lines, each with its line end.
func linesOf(text []byte) []string {
	var lines []string
	for line := range bytes.Lines(text) {
		lines = append(lines, string(line))
	}
	return lines
}

// trimmed returns lines without their ends, which an editor may write in another way.
func trimmed(lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimRight(line, " \t\r\n")
	}
	return list
}

// ended returns lines of which the last one has a line end.
func ended(lines []string, end string) []string {
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		return append(slices.Clone(lines), end)
	}
	return lines
}

// hunk is a range of lines that another range replaces.
type hunk struct{ from, fromEnd, to, toEnd int }

// hunks returns the ranges that differ. match aligns the lines to n others.
func hunks(match []int, n int) (list []hunk) {
	h := hunk{}
	for i, at := range append(slices.Clone(match), n) {
		if at < 0 {
			continue
		}
		if h.fromEnd, h.toEnd = i, at; h.fromEnd > h.from || h.toEnd > h.to {
			list = append(list, h)
		}
		h = hunk{from: i + 1, to: at + 1}
	}
	return list
}

// alignLines returns, for each line of a, the line of b that it is, or -1.
func alignLines(a, b []string) []int {
	match := slices.Repeat([]int{-1}, len(a))
	alignBetween(a, b, match, 0, len(a), 0, len(b))
	return match
}

// alignBetween aligns a range of lines to another one.
func alignBetween(a, b []string, match []int, a0, a1, b0, b1 int) {
	for _, edit := range diff.Edits(a[a0:a1], b[b0:b1]) {
		if edit.Op == diff.Match {
			match[a0] = b0
		}
		if edit.Op != diff.Insert {
			a0++
		}
		if edit.Op != diff.Delete {
			b0++
		}
	}
}
