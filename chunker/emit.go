package chunker

import (
	"bytes"
	"strings"

	"github.com/memory-tiered/memory"
)

// emit turns units into blocks, each with the headings that it stands under.
func (c *cutter) emit() {
	var path headings
	line, at := 1, 0
	lineOf := func(offset int) int {
		line += bytes.Count(c.src[at:offset], []byte("\n"))
		at = offset
		return line
	}
	for _, u := range c.units {
		if u.kind != memory.KindItem {
			path.dropLeadIn()
		}
		if u.level > 0 {
			path.push(u.level, headingText(c.src[u.Start:u.End]))
		}
		if u.kind == "" {
			c.out.Others = append(c.out.Others, u.Span)
			continue
		}
		end := u.End
		if n := len(u.loose); n > 0 {
			end = u.loose[n-1].End
		}
		b := c.block(u)
		b.Heading = path.names()
		b.Start, b.End = u.Start, end
		b.LineStart, b.LineEnd = lineOf(u.Start), lineOf(end)
		c.out.Blocks = append(c.out.Blocks, b)
	}
}

// block reads what a unit says.
func (c *cutter) block(u unit) memory.Block {
	raw := clean(c.src[u.Start:u.End])
	b := memory.Block{Kind: u.kind}
	switch u.kind {
	case memory.KindItem:
		raw = dedentItem(raw)
	case memory.KindParagraph:
		raw = eachLine(raw, func(l string) string { return strings.TrimLeft(l, " \t") })
	case memory.KindQuote:
		raw = eachLine(raw, unquote)
	}
	var comments []string
	for _, s := range u.loose {
		comments = append(comments, string(c.src[s.Start:s.End]))
	}
	annotate(&b, raw, comments)
	b.Fingerprint = Fingerprint(b.Text)
	return b
}

// headings is the path of headings above where the reading has come to.
type headings []heading

type heading struct {
	level int
	text  string
}

func (h *headings) push(level int, text string) {
	for len(*h) > 0 && (*h)[len(*h)-1].level >= level {
		*h = (*h)[:len(*h)-1]
	}
	*h = append(*h, heading{level, text})
}

func (h *headings) dropLeadIn() {
	if n := len(*h); n > 0 && (*h)[n-1].level == leadInLevel {
		*h = (*h)[:n-1]
	}
}

func (h headings) names() []string {
	var out []string
	for _, x := range h {
		if x.text != "" {
			out = append(out, x.text)
		}
	}
	return out
}

// headingText is a heading's words: no marks, no annotations.
func headingText(src []byte) string {
	lines := strings.Split(clean(src), "\n")
	if n := len(lines); n > 1 && strings.Trim(strings.TrimSpace(lines[n-1]), "=-") == "" {
		lines = lines[:n-1] // the underline of a setext heading
	}
	text := strings.TrimSpace(strings.Join(lines, " "))
	if rest := strings.TrimLeft(text, "#"); len(text)-len(rest) <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
		text = strings.TrimSpace(rest)
		if cut := strings.TrimRight(text, "#"); cut == "" || strings.HasSuffix(cut, " ") || strings.HasSuffix(cut, "\t") {
			text = cut
		}
	}
	var b memory.Block
	annotate(&b, strings.TrimRight(strings.TrimSpace(text), ":："), nil)
	return strings.NewReplacer("[[", "", "]]", "", "**", "", "`", "").Replace(b.Text)
}

func eachLine(text string, do func(string) string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = do(lines[i])
	}
	return strings.Join(lines, "\n")
}

func unquote(l string) string {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t"), ">"); ok {
		return strings.TrimPrefix(rest, " ")
	}
	return l
}

// dedentItem takes the bullet off the first line, and the width that it takes
// off the others.
func dedentItem(text string) string {
	lines := strings.Split(text, "\n")
	first := strings.TrimLeft(lines[0], " \t")
	width := columns(lines[0][:len(lines[0])-len(first)], 0) + 1
	content := strings.TrimLeft(first[min(1, len(first)):], " \t")
	space := first[min(1, len(first)) : len(first)-len(content)]
	if n := columns(space, width); n >= 1 && n <= 4 {
		width += n
	} else {
		width++
	}
	lines[0] = content
	for i := 1; i < len(lines); i++ {
		lines[i] = dedent(lines[i], width)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// columns is how wide white space is that begins at a column; tabs go to the
// next multiple of four.
func columns(space string, at int) int {
	begin := at
	for _, r := range space {
		if r == '\t' {
			at += 4 - at%4
		} else {
			at++
		}
	}
	return at - begin
}

// dedent takes at most width columns of white space off a line.
func dedent(l string, width int) string {
	at := 0
	for i, r := range l {
		switch {
		case at >= width:
			return strings.Repeat(" ", at-width) + l[i:]
		case r == ' ':
			at++
		case r == '\t':
			at += 4 - at%4
		default:
			return l[i:]
		}
	}
	return ""
}
