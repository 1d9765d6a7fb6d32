// Package markdown tells which parts of a Markdown text are code and quotations, without
// parsing it. It is the only place that knows how code is marked.
package markdown

import (
	"slices"
	"strings"
)

// blanks are the characters of a line that counts as empty.
const blanks = " \t\r\n"

// Fence is the mark that opened a block of code. The zero value is none.
type Fence string

// FenceOf returns the fence that a line opens, if there is one at its beginning.
func FenceOf(line string) Fence {
	for _, c := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, c))
		if n >= 3 && !(c == "`" && strings.Contains(line[n:], "`")) {
			return Fence(line[:n])
		}
	}
	return ""
}

// After returns the fence that is open behind a line.
func (f Fence) After(line string) Fence {
	switch found := FenceOf(line); {
	case f == "":
		return found
	case strings.HasPrefix(string(found), string(f)) && strings.Trim(line[len(found):], blanks) == "":
		return ""
	}
	return f
}

// Span is a part of a text, as offsets in bytes.
type Span struct{ Start, End int }

// Spans are parts of a text in ascending order.
type Spans []Span

// Contains reports whether a byte is in one of the spans.
func (s Spans) Contains(at int) bool {
	i, found := slices.BinarySearchFunc(s, at, func(x Span, at int) int { return x.Start - at })
	return found || i > 0 && at < s[i-1].End
}

// Code returns the blocks of code in fences and the inline code of a text. A backslash that is
// added outside of them moves them and changes nothing else.
func Code(text string) Spans {
	if !strings.Contains(text, "`") && !strings.Contains(text, "~~~") {
		return nil
	}
	var found Spans
	var fence Fence
	opened, start := 0, 0
	for whole := range strings.SplitAfterSeq(text, "\n") {
		line := strings.TrimLeft(whole, " \t>")
		if fence == "" {
			line = withoutMarkers(line)
		}
		end := start + len(strings.TrimSuffix(whole, "\n"))
		switch next := fence.After(line); {
		case fence == "" && next != "":
			fence, opened = next, start
		case fence == "":
			for _, s := range Inline(text[start:end]) {
				found = append(found, Span{start + s.Start, start + s.End})
			}
		case next == "":
			found, fence = append(found, Span{opened, end}), ""
		}
		start += len(whole)
	}
	if fence != "" {
		found = append(found, Span{opened, len(text)})
	}
	return found
}

// OwnWords returns a text with blanks in place of its code and its quoted lines, which are
// nobody's statement. No offset changes.
func OwnWords(text string) string {
	spans := Code(text)
	if spans == nil && !strings.Contains(text, ">") {
		return text
	}
	own := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if own[i] != '\n' {
				own[i] = ' '
			}
		}
	}
	for _, s := range spans {
		blank(s.Start, s.End)
	}
	start := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, blanks), ">") {
			blank(start, start+len(line))
		}
		start += len(line)
	}
	return string(own)
}

const (
	// maxDepth limits how many markers before a fence are read. The cost of a deeper text could be quadratic.
	maxDepth = 32

	// maxMarkerLen is the length of nine digits, a dot and a blank.
	maxMarkerLen = 11
)

// withoutMarkers returns a line without its leading list markers: a fence may open behind them.
func withoutMarkers(line string) string {
	for range maxDepth {
		n := MarkerLen(line)
		if n == 0 {
			break
		}
		line = strings.TrimLeft(line[n:], " \t>")
	}
	return line
}

// MarkerLen returns the length of the list or quote marker at the beginning of a line, or 0.
func MarkerLen[T string | []byte](line T) int {
	digits := 0
	for digits < len(line) && digits < maxMarkerLen-1 && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits >= len(line) || digits == maxMarkerLen-1 {
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

// Inline returns the inline code of a line: text between two equally long runs of backticks.
func Inline(line string) (found Spans) {
	last := map[int]int{} // length of a run → start of the last run of that length
	for at, n := range runs(line) {
		last[n] = at
	}
	opened, length := 0, 0
	for at, n := range runs(line) {
		switch {
		case length == 0 && last[n] > at:
			opened, length = at, n
		case length == n:
			found = append(found, Span{opened, at + n})
			length = 0
		}
	}
	return found
}

// runs yields the start and the length of each run of backticks.
func runs(line string) func(yield func(at, n int) bool) {
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
