package chunker

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// cleanSource returns the text of a span: valid UTF-8 without NUL, line feeds,
// no blanks at the ends of lines.
func cleanSource(src []byte) string {
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 || bytes.IndexByte(src, '\r') >= 0 {
		s := strings.ToValidUTF8(string(src), "\uFFFD")
		return trimLineEnds(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(s))
	}
	return trimLineEnds(string(src))
}

func trimLineEnds(s string) string {
	if !strings.Contains(s, " \n") && !strings.Contains(s, "\t\n") {
		return strings.TrimRight(s, " \t")
	}
	return mapLines(s, func(l string) string { return strings.TrimRight(l, " \t") })
}

// mapLines applies do to each line, without its line feed.
func mapLines(s string, do func(string) string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return do(s)
	}
	var out strings.Builder
	out.Grow(len(s))
	for l := range strings.SplitAfterSeq(s, "\n") {
		body, ended := strings.CutSuffix(l, "\n")
		out.WriteString(do(body))
		if ended {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// trimLineStarts removes the white space at the start of each line, as a
// rendered paragraph has none.
func trimLineStarts(s string) string {
	return mapLines(s, func(l string) string { return strings.TrimLeft(l, " \t") })
}

// removeIndent removes up to the first line's indentation from every line.
func removeIndent(s string) string {
	width := columnWidth(s[:len(s)-len(strings.TrimLeft(s, " \t"))], 0)
	if width == 0 {
		return s
	}
	return mapLines(s, func(l string) string { return dedent(l, width) })
}

// removeQuoteMarks removes one level of quote marks.
func removeQuoteMarks(s string) string {
	return mapLines(s, func(l string) string {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t"), ">"); ok {
			return strings.TrimPrefix(rest, " ")
		}
		return l
	})
}

// removeBullet removes the bullet from an item's first line, and its width from
// the other lines.
func removeBullet(s string) string {
	first := strings.TrimLeft(s, " \t")
	after := first[1:]
	content := strings.TrimLeft(after, " \t")
	head, rest, more := strings.Cut(content, "\n")
	if !more {
		return content
	}
	width := columnWidth(s[:len(s)-len(first)], 0) + 1
	if n := columnWidth(after[:len(after)-len(content)], width); head != "" && n <= 4 {
		width += n
	} else {
		width++ // an empty line, or code: the content begins one column after the bullet
	}
	return head + "\n" + mapLines(rest, func(l string) string { return dedent(l, width) })
}

// columnWidth returns the width in columns of white space that begins at a
// column. A tab ends at the next multiple of four.
func columnWidth(space string, at int) int {
	begin := at
	for i := range len(space) {
		if space[i] == '\t' {
			at += 4 - at%4
		} else {
			at++
		}
	}
	return at - begin
}

// dedent removes at most width columns of white space from a line. The rest of
// a wider tab becomes blanks.
func dedent(l string, width int) string {
	at, i := 0, 0
	for ; i < len(l) && at < width; i++ {
		switch l[i] {
		case ' ':
			at++
		case '\t':
			at += 4 - at%4
		default:
			return l[i:]
		}
	}
	return strings.Repeat(" ", max(0, at-width)) + l[i:]
}
