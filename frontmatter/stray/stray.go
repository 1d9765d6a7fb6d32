// Package stray finds front matter in the text of a file, below its head. A note above
// it, another program's front matter or a copy of two files puts it there. It decides,
// and it is never a memory, because it quotes forgotten texts.
//
// The package reads lines only. Package frontmatter decodes what it finds, and package
// chunker leaves it out.
package stray

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// Block is front matter in a text, in whole lines.
type Block struct {
	Start, End int    // with its delimiters
	Line       int    // of the first line of Raw, counted from the offset of the search
	Raw        []byte // between the delimiters, without quote marks and indentation
	Opener     string // the line above Raw, or empty
	Fenced     bool   // in a code block, where it may be an example
}

// maxItemLines limits the lines above a line in which its list item may begin.
const maxItemLines = 500

// maxWrapped limits the lines over which an editor may have wrapped an entry.
const maxWrapped = 4

// Find returns the front matter of a text from an offset on, in order.
func Find(src []byte, from int) []Block {
	from = max(0, min(from, len(src)))
	if !mayHave(src[from:]) {
		return nil
	}
	f := finder{lines: splitLines(src, from)}
	for i := 0; i < len(f.lines); {
		i = f.next(i)
	}
	return f.found
}

// mayHave reports quickly whether a text may have front matter. Most have none.
func mayHave(text []byte) bool {
	if bytes.Contains(text, []byte("quote")) && bytes.Contains(text, []byte("id")) {
		return true
	}
	for _, rule := range []string{"--", "+++", "***", "___", ";;;", "—", "––", "{", "```", "~~~", "－－", "﹣﹣", "−−"} {
		if bytes.Contains(text, []byte(rule)) {
			lower := bytes.ToLower(text)
			return slices.ContainsFunc(protecting.Keys, func(k protecting.Key) bool { return bytes.Contains(lower, []byte(k.Name[:4])) }) // perhaps misspelled
		}
	}
	return false
}

// Mask returns a text with blanks in place of front matter that was found in it. Every other
// byte keeps its position. Without any, it returns the text itself.
func Mask(src []byte, found []Block) []byte {
	if len(found) == 0 {
		return src
	}
	out := bytes.Clone(src)
	for _, b := range found {
		for at := b.Start; at < b.End; at++ {
			if out[at] != '\n' && out[at] != '\r' {
				out[at] = ' '
			}
		}
	}
	return out
}

// line is a line of a text. Its prefix has the quote marks and the indentation.
type line struct {
	start, end   int
	prefix, text string
}

// splitLines returns the lines of a text from an offset on. A line may end with LF, CRLF
// or CR.
func splitLines(src []byte, from int) []line {
	out := make([]line, 0, bytes.Count(src[from:], []byte("\n"))+1)
	for at := from; at < len(src); {
		end := len(src)
		if n := bytes.IndexAny(src[at:], "\r\n"); n >= 0 {
			end = at + n + 1
			if src[end-1] == '\r' && end < len(src) && src[end] == '\n' {
				end++
			}
		}
		whole := strings.TrimRight(string(src[at:end]), " \t\r\n")
		text := strings.TrimLeft(whole, " \t>\ufeff\u200b")
		out = append(out, line{at, end, whole[:len(whole)-len(text)], text})
		at = end
	}
	return out
}

// below returns the text of a line without the prefix of the line that opens its block.
func (l line) below(prefix string) string {
	if whole := l.prefix + l.text; strings.HasPrefix(whole, prefix) {
		return whole[len(prefix):]
	}
	return l.text
}

type finder struct {
	lines []line
	found []Block
	end   int          // of the last block that has a line which opens it
	body  bool         // something other than blank lines, comments and rules was read
	fence string       // of the code block that is open
	open  map[byte]int // the length from which no fence is closed any more, by its mark
}

// next examines a line and returns the next line to examine.
func (f *finder) next(i int) int {
	text := f.lines[i].text
	if f.fence != "" {
		if closesFence(text, f.fence) {
			f.fence = ""
		} else if isEntry(text) && forgets.MatchString(text) {
			f.add(i, i+1, Block{Line: i - 1, Raw: asList(text), Fenced: true})
		}
		return i + 1
	}
	if fence := opensFence(text); fence != "" && f.isClosed(i, fence) {
		if end := f.wrapped(i, fence); end > 0 {
			return end
		}
		f.fence, f.body = fence, true
		return i + 1
	}
	if end := f.between(i); end > 0 {
		return end
	}
	f.above(i)
	if end := f.entry(i); end > 0 {
		return end
	}
	if text != "" && !isRule(text) && !strings.HasPrefix(text, "<!--") {
		f.body = true
	}
	return i + 1
}

// add adds the block of some lines. It takes the place of blocks that it contains.
func (f *finder) add(from, to int, b Block) {
	b.Start, b.End = f.lines[from].start, f.lines[to-1].end
	for n := len(f.found); n > 0 && f.found[n-1].Start >= b.Start; n-- {
		f.found = f.found[:n-1]
	}
	f.found = append(f.found, b)
	if b.Opener != "" {
		f.end = b.End
	}
}

// isClosed reports whether a line closes the code block that a line opens. An open one may
// be the end of another file, so that what is below it counts.
func (f *finder) isClosed(i int, fence string) bool {
	if n := f.open[fence[0]]; n > 0 && len(fence) >= n {
		return false
	}
	if slices.ContainsFunc(f.lines[i+1:], func(l line) bool { return closesFence(l.text, fence) }) {
		return true
	}
	if f.open == nil {
		f.open = map[byte]int{}
	}
	f.open[fence[0]] = len(fence)
	return false
}

// entry adds the entry that a line begins, outside front matter. An editor may have wrapped
// it over some lines.
func (f *finder) entry(i int) (end int) {
	text := f.lines[i].text
	if !beginsEntry(text) {
		return 0
	}
	for end = i + 1; end < min(i+maxWrapped, len(f.lines)) && !closed(text) && f.lines[end].text != ""; end++ {
		text += " " + f.lines[end].text
	}
	if !closed(text) || !isEntry(text) {
		end, text = i+1, f.lines[i].text
	}
	if !isEntry(text) {
		return 0
	}
	f.add(i, end, Block{Line: i - 1, Raw: asList(text)})
	return end
}

// closed reports whether a text ends with the brace of an entry.
func closed(text string) bool { return strings.HasSuffix(strings.TrimRight(text, ", "), "}") }

// asList returns an entry as front matter with a list of one. The key is on the line above
// it.
func asList(entry string) []byte {
	return []byte("memories:\n  - " + straighten(strings.TrimRight(entryMark.ReplaceAllString(entry, ""), ", ")) + "\n")
}

// raw returns some lines without the prefix of their block.
func (f *finder) raw(from, to int, prefix string) []byte {
	var out strings.Builder
	for _, l := range f.lines[from:to] {
		out.WriteString(l.below(prefix) + "\n")
	}
	return []byte(straighten(out.String()))
}

// between adds the block that a line opens. It ends with the next rule, else before the
// first line that is no line of front matter.
func (f *finder) between(i int) (end int) {
	opener := f.lines[i]
	if !isRule(opener.text) && opener.text != "{" || f.inItem(i) {
		return 0
	}
	to, unbroken, closed := i+1, 0, false
	for ; to < len(f.lines); to++ {
		text := f.lines[to].below(opener.prefix)
		if closed = isRule(f.lines[to].text) || opener.text == "{" && f.lines[to].text == "}"; closed {
			break
		}
		gap := text == "" || text[0] == '#'
		if gap && unbroken == 0 {
			unbroken = to
		}
		if !gap && !keyLine.MatchString(text) {
			break
		}
	}
	end = to
	if closed {
		end++
	} else if unbroken > 0 {
		to, end = unbroken, unbroken
	}
	if to == i+1 || !closed && !isExactRule(opener.text) {
		return 0
	}
	raw := f.raw(i+1, to, opener.prefix)
	if !decides(raw, closed, opener.text == "{") {
		return 0
	}
	b := Block{Line: i + 1, Raw: raw, Opener: uncommented(opener.text)}
	if opener.text == "{" {
		b.Line, b.Raw = i, f.raw(i, end, opener.prefix)
	}
	f.add(i, end, b)
	return end
}

// above adds the block that ends with a line and has no line that opens it.
func (f *finder) above(i int) {
	closer := f.lines[i]
	if !isExactRule(closer.text) {
		return
	}
	from := i
	for from > 0 && f.lines[from-1].text != "" && !isRule(f.lines[from-1].text) && f.lines[from-1].start >= f.end {
		text := f.lines[from-1].below(closer.prefix)
		if !keyLine.MatchString(text) || strings.HasPrefix(text, "- ") && !isEntry(text) {
			break
		}
		from--
	}
	for from < i && !topKey.MatchString(f.lines[from].below(closer.prefix)) {
		from++
	}
	if from == i || f.inItem(from) {
		return
	}
	// A file without a line end may stand before the opening line.
	glued := from > 0 && strings.HasSuffix(f.lines[from-1].text, closer.text)
	if raw := f.raw(from, i, closer.prefix); decides(raw, glued, false) {
		f.add(from, i+1, Block{Line: from, Raw: raw})
	}
}

// inItem reports whether an indented line belongs to a list item. The text of a memory may
// have several lines, and none of them decides.
func (f *finder) inItem(i int) bool {
	prefix := f.lines[i].prefix
	indented := len(prefix)
	if indented == 0 || strings.Trim(prefix, " \t") != "" {
		return false
	}
	for last := i - maxItemLines; i > max(0, last); {
		i--
		if l := f.lines[i]; l.text != "" && len(l.prefix) < indented {
			return itemMark.MatchString(l.text)
		}
	}
	return false
}

// wrapped adds front matter at the head of a file that an editor made a code block.
func (f *finder) wrapped(i int, fence string) (end int) {
	if f.body {
		return 0
	}
	prefix := f.lines[i].prefix
	for end = i + 1; end < len(f.lines) && !closesFence(f.lines[end].text, fence); end++ {
	}
	if end == len(f.lines) {
		return 0
	}
	from, to := i+1, end
	ruled := from < to && isExactRule(f.lines[from].text)
	if ruled {
		from++
	}
	if to > from && isRule(f.lines[to-1].text) {
		to--
	}
	raw := f.raw(from, to, prefix)
	if !decides(raw, true, !ruled) {
		return 0
	}
	f.add(i, end+1, Block{Line: from, Raw: raw, Opener: "---"})
	return end + 1
}
