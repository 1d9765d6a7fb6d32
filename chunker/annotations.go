package chunker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
)

// maxMarks limits the tags, links and triggers of one block, each separately. A
// text with more is a list that only looks like marks, and appending to a list
// without duplicates takes quadratic time.
const maxMarks = 256

var (
	// wikilinkTarget matches a [[wikilink]] and captures its target, without a
	// heading, a block id or other words.
	wikilinkTarget = lazyregexp.New(`\[\[([^\[\]\n|#^]+)[^\[\]\n]*\]\]`)
	// markersOnly matches the start of a line that holds list or quote markers
	// and no text.
	markersOnly = lazyregexp.New(`^(?:[-+*>]|\d{1,9}[.)]|\[[ xX]\]|[ \t])*$`)
)

// extract splits raw into its text, which becomes b.Text, and its annotations,
// which it adds to b.
func (a *annotator) extract(b *memory.Block, raw string) {
	raw = a.stripComments(b, strings.Trim(raw, " \t\n"))
	if strings.IndexByte(raw, '#') >= 0 || strings.IndexByte(raw, '^') >= 0 {
		raw = stripTrailingMarks(b, raw)
	}
	if strings.Contains(raw, "[[") {
		in := markdown.Code(raw)
		for _, m := range wikilinkTarget().FindAllStringSubmatchIndex(raw, -1) {
			if target := strings.TrimSpace(raw[m[2]:m[3]]); !in.Contains(m[0]) {
				b.Links = appendMark(b.Links, target)
			}
		}
	}
	if isCheckbox(raw) {
		raw = "" // a task without a text
	}
	b.Text = strings.TrimSpace(unescape(raw))
}

// appendMark appends a mark to a list without duplicates of at most maxMarks.
func appendMark(list []string, mark string) []string {
	if mark == "" || len(list) >= maxMarks || slices.Contains(list, mark) {
		return list
	}
	return append(list, mark)
}

// stripComments removes every comment that holds an annotation, and every
// comment at the end of a line. It adds their annotations to b. A comment that
// is escaped or in code is text.
func (a *annotator) stripComments(b *memory.Block, raw string) string {
	a.applyUnclosed(raw)
	a.applyMarks(raw)
	found := findComments(raw)
	if len(found) == 0 {
		return raw
	}
	trailing := make([]bool, len(found))
	for i := len(found) - 1; i >= 0; i-- {
		rest := strings.TrimLeft(raw[found[i].End:], " \t")
		next := i+1 < len(found) && len(raw)-len(rest) == found[i+1].Start
		trailing[i] = rest == "" || rest[0] == '\n' || next && trailing[i+1]
	}
	var out []byte
	at := 0
	for i, c := range found {
		if !a.applyComment(b, raw[c.Start:c.End]) && !trailing[i] {
			continue
		}
		out = append(out, raw[at:c.Start]...)
		at = c.End
		if at == len(raw) || strings.IndexByte(blanks, raw[at]) >= 0 {
			out = bytes.TrimRight(out, " \t")
		}
		if at < len(raw) && raw[at] == '\n' && (len(out) == 0 || out[len(out)-1] == '\n') {
			at++ // the line held nothing else
		}
	}
	return strings.Trim(string(append(out, raw[at:]...)), " \t\n")
}

// findComments returns the spans of the comments of a text.
func findComments(raw string) []Span {
	if !strings.Contains(raw, "<!--") {
		return nil
	}
	var found []Span
	for _, x := range findMarkup(raw, markdown.Code(raw)) {
		if x.kind != markupComment || x.escapeStart < x.start || len(found) > 0 && x.start < found[len(found)-1].End {
			continue
		}
		n := strings.Index(raw[x.end:], "-->")
		if n < 0 {
			break
		}
		found = append(found, Span{x.start, x.end + n + len("-->")})
	}
	return found
}

// stripTrailingMarks adds all tags of a text to b. It removes the tags and the
// block id at the end of the text and at the end of its first paragraph. An
// item has them there, before its nested lines.
func stripTrailingMarks(b *memory.Block, raw string) string {
	found := findMarkup(raw, markdown.Code(raw))
	for _, x := range found {
		if x.kind == markupTag && x.escapeStart == x.start {
			b.Annotations.Tags = appendMark(b.Annotations.Tags, strings.TrimRight(raw[x.start+1:x.end], "/-"))
		}
	}
	end, id := trailingMarks(raw, found)
	raw = raw[:end]
	if head := firstParagraphEnd(raw); head < end {
		n, headID := trailingMarks(raw[:head], markupBefore(found, head))
		raw = raw[:n] + raw[head:]
		if headID != "" {
			id = headID
		}
	}
	if b.BlockID == "" {
		b.BlockID = id
	}
	return raw
}

// markupBefore returns the markup that ends at or before a position.
func markupBefore(found []markup, at int) []markup {
	i, _ := slices.BinarySearchFunc(found, at+1, func(x markup, at int) int { return x.end - at })
	return found[:i]
}

// trailingMarks returns where the tags and the block id at the end of a text
// begin, and the id. If nothing but a list marker would be left of the text or
// of its last line, they belong to the text.
func trailingMarks(raw string, found []markup) (end int, id string) {
	end = len(raw)
	for i := len(found) - 1; i >= 0 && len(found)-i <= maxMarks; i-- {
		x := found[i]
		before := strings.TrimRight(raw[:x.start], " \t\n")
		if x.end != end || x.escapeStart < x.start || before != "" && len(before) == x.start {
			break
		}
		if x.kind != markupTag && (x.kind != markupBlockID || id != "") {
			break
		}
		line := raw[strings.LastIndexByte(raw[:x.start], '\n')+1 : x.start]
		if before == "" || strings.Trim(line, " \t") != "" && markersOnly().MatchString(line) {
			return len(raw), ""
		}
		if x.kind == markupBlockID {
			id = raw[x.start+1 : x.end]
		}
		end = len(before)
	}
	return end, id
}

// firstParagraphEnd returns where the first paragraph ends: before a blank
// line, nested Markdown or a comment.
func firstParagraphEnd(raw string) int {
	for at := strings.IndexByte(raw, '\n'); at >= 0; {
		line := strings.TrimLeft(raw[at+1:], " \t")
		if line == "" || strings.IndexByte("\n>|<", line[0]) >= 0 || strings.HasPrefix(line, "# ") ||
			markdown.MarkerLen(line) > 0 || markdown.FenceOf(line) != "" {
			return at
		}
		next := strings.IndexByte(raw[at+1:], '\n')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return len(raw)
}
