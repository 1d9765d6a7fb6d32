package plan

import (
	"bytes"
	"slices"
	"strings"
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

// alignLines returns, for each line of a, the line of b that it is, or -1. It is a patience
// diff: it pairs the common lines at both ends, then the lines that are unique on both sides.
// Then it does the same between these.
func alignLines(a, b []string) []int {
	match := slices.Repeat([]int{-1}, len(a))
	alignBetween(a, b, match, 0, len(a), 0, len(b))
	return match
}

func alignBetween(a, b []string, match []int, a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && a[a0] == b[b0] {
		match[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && a[a1-1] == b[b1-1] {
		a1, b1 = a1-1, b1-1
		match[a1] = b1
	}
	anchors := longestRise(uniquePairs(a, b, a0, a1, b0, b1))
	if len(anchors) == 0 {
		return
	}
	for _, at := range anchors {
		alignBetween(a, b, match, a0, at[0], b0, at[1])
		match[at[0]] = at[1]
		a0, b0 = at[0]+1, at[1]+1
	}
	alignBetween(a, b, match, a0, a1, b0, b1)
}

// uniquePairs returns the lines that are once in each of two ranges, in the order of a.
func uniquePairs(a, b []string, a0, a1, b0, b1 int) (pairs [][2]int) {
	countA, countB, placeB := map[string]int{}, map[string]int{}, map[string]int{}
	for _, line := range a[a0:a1] {
		countA[line]++
	}
	for i, line := range b[b0:b1] {
		countB[line]++
		placeB[line] = b0 + i
	}
	for i, line := range a[a0:a1] {
		if countA[line] == 1 && countB[line] == 1 {
			pairs = append(pairs, [2]int{a0 + i, placeB[line]})
		}
	}
	return pairs
}

// longestRise returns the longest part of the pairs that rises on the second side too.
func longestRise(pairs [][2]int) [][2]int {
	var last []int // the index of the lowest pair that ends a rise of each length
	previous := make([]int, len(pairs))
	for i, pair := range pairs {
		n, _ := slices.BinarySearchFunc(last, pair[1], func(at, target int) int { return pairs[at][1] - target })
		previous[i] = -1
		if n > 0 {
			previous[i] = last[n-1]
		}
		last = append(last[:n:n], append([]int{i}, last[min(n+1, len(last)):]...)...)
	}
	if len(last) == 0 {
		return nil
	}
	rise := make([][2]int, len(last))
	for i, at := len(last)-1, last[len(last)-1]; i >= 0; i, at = i-1, previous[at] {
		rise[i] = pairs[at]
	}
	return rise
}
