package chunker

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// mostMarks is how many tags, links and triggers a block may have, of each: a
// text with more is a list of words that happen to be written so, and whoever
// adds them up one by one would take quadratic time.
const mostMarks = 256

var (
	// link is a [[wikilink]]: its target, then a heading, a block or other words.
	link = regexp.MustCompile(`\[\[([^\[\]\n|#^]+)[^\[\]\n]*\]\]`)
	// bareMarker is the beginning of a line that says nothing without what follows.
	bareMarker = regexp.MustCompile(`^(?:[-+*>]|\d{1,9}[.)]|\[[ xX]\]|[ \t])*$`)
)

// annotate parts raw into what it says and what is said about it. The former
// becomes b.Text.
func annotate(b *memory.Block, raw string) {
	raw = takeComments(b, strings.Trim(raw, " \t\n"))
	if strings.IndexByte(raw, '#') >= 0 || strings.IndexByte(raw, '^') >= 0 {
		raw = takeMarks(b, raw)
	}
	if strings.Contains(raw, "[[") {
		in := code(raw)
		for _, m := range link.FindAllStringSubmatchIndex(raw, -1) {
			if target := strings.TrimSpace(raw[m[2]:m[3]]); !in.hold(m[0]) {
				b.Links = withMark(b.Links, target)
			}
		}
	}
	if isBox(raw) {
		raw = "" // a task that nobody wrote yet
	}
	b.Text = strings.TrimSpace(unescape(raw))
}

// withMark adds a mark to a list that holds each once.
func withMark(list []string, mark string) []string {
	if mark == "" || len(list) >= mostMarks || slices.Contains(list, mark) {
		return list
	}
	return append(list, mark)
}

// takeComments takes comments off: those that annotate, wherever they stand, and
// any that ends a line. An escaped one, or one in code, is text.
func takeComments(b *memory.Block, raw string) string {
	found := comments(raw)
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
		if !declare(b, raw[c.Start:c.End]) && !trailing[i] {
			continue
		}
		out = append(out, raw[at:c.Start]...)
		at = c.End
		if at == len(raw) || strings.IndexByte(blank, raw[at]) >= 0 {
			out = bytes.TrimRight(out, " \t")
		}
		if at < len(raw) && raw[at] == '\n' && (len(out) == 0 || out[len(out)-1] == '\n') {
			at++ // nothing else stood on the line
		}
	}
	return strings.Trim(string(append(out, raw[at:]...)), " \t\n")
}

// comments finds the comments of a text.
func comments(raw string) []Span {
	if !strings.Contains(raw, "<!--") {
		return nil
	}
	var found []Span
	for _, x := range signs(raw, code(raw)) {
		if x.kind != signComment || x.slash < x.mark || len(found) > 0 && x.mark < found[len(found)-1].End {
			continue
		}
		n := strings.Index(raw[x.end:], "-->")
		if n < 0 {
			break
		}
		found = append(found, Span{x.mark, x.end + n + len("-->")})
	}
	return found
}

// takeMarks notes the tags of a text, and takes the tags and the block id at its
// end off, and those at the end of its first paragraph: an item has them there,
// before what is nested in it.
func takeMarks(b *memory.Block, raw string) string {
	found := signs(raw, code(raw))
	for _, x := range found {
		if x.kind == signTag && x.slash == x.mark {
			b.Annotations.Tags = withMark(b.Annotations.Tags, strings.TrimRight(raw[x.mark+1:x.end], "/-"))
		}
	}
	end, id := run(raw, found)
	raw = raw[:end]
	if head := firstParagraph(raw); head < end {
		n, headID := run(raw[:head], upTo(found, head))
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

// upTo is the signs that end before a place.
func upTo(found []sign, at int) []sign {
	i, _ := slices.BinarySearchFunc(found, at+1, func(x sign, at int) int { return x.end - at })
	return found[:i]
}

// run is where the tags and the block id begin that end a text, and the id. If
// nothing would be left of the text, or of its last line but a marker, they are
// the text.
func run(raw string, found []sign) (end int, id string) {
	end = len(raw)
	for i := len(found) - 1; i >= 0 && len(found)-i <= mostMarks; i-- {
		x := found[i]
		before := strings.TrimRight(raw[:x.mark], " \t\n")
		if x.end != end || x.slash < x.mark || before != "" && len(before) == x.mark {
			break
		}
		if x.kind != signTag && (x.kind != signID || id != "") {
			break
		}
		line := raw[strings.LastIndexByte(raw[:x.mark], '\n')+1 : x.mark]
		if before == "" || strings.Trim(line, " \t") != "" && bareMarker.MatchString(line) {
			return len(raw), ""
		}
		if x.kind == signID {
			id = raw[x.mark+1 : x.end]
		}
		end = len(before)
	}
	return end, id
}

// firstParagraph is where the lines end that nothing nested has begun before.
func firstParagraph(raw string) int {
	for at := strings.IndexByte(raw, '\n'); at >= 0; {
		line := strings.TrimLeft(raw[at+1:], " \t")
		if line == "" || strings.IndexByte("\n>|<", line[0]) >= 0 || strings.HasPrefix(line, "# ") ||
			marker([]byte(line[:min(len(line), longestMarker)])) > 0 || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
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
