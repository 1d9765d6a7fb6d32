package chunker

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

const (
	// maxHeadingLen is the length in characters up to which a lead-in or an
	// underlined line is a heading. A longer one has content of its own and
	// must be a memory, which a heading never is.
	maxHeadingLen = 160
	// leadInLevel is the heading level of a lead-in over bullets, below any
	// real heading.
	leadInLevel = 7
)

var (
	// commentsOnly matches an HTML block of nothing but comments.
	commentsOnly = lazyregexp.New(`^(?s:\s*<!--.*?-->)+\s*$`)
	// boldOnly matches a line of nothing but bold words.
	boldOnly = lazyregexp.New(`^[ \t]*(?:\*\*[^*\n]+\*\*|__[^_\n]+__)[ \t]*$`)
	// blockIDOnly matches a paragraph of nothing but a block id.
	blockIDOnly = lazyregexp.New(`^[ \t]*\^[A-Za-z0-9-]+$`)
)

// regroup applies the rules that the parser does not know. A comment or a block
// id belongs to the block above it. Link definitions are not memories. A
// lead-in belongs to the construct below it.
func regroup(src []byte, units []unit) []unit {
	j := regrouper{src: src, out: make([]unit, 0, len(units))}
	for _, u := range units {
		text := src[u.Start:u.End]
		switch {
		case u.kind == memory.KindHTML && commentsOnly().Match(text):
			j.addComment(u)
		case u.kind == memory.KindParagraph && blockIDOnly().Match(trimTrailingComments(text)):
			j.addBlockID(u)
		case u.kind == memory.KindParagraph:
			j.addParagraph(u)
		case u.skipped == SkippedHeading:
			j.addHeading(u)
		default:
			j.attachLeadIn(&u)
			j.out = append(j.out, u)
		}
	}
	return j.out
}

type regrouper struct {
	src []byte
	out []unit
}

// lastBlock returns the previous unit if it is a block, else nil.
func (j *regrouper) lastBlock() *unit {
	if n := len(j.out); n > 0 && j.out[n-1].kind != "" {
		return &j.out[n-1]
	}
	return nil
}

// addComment attaches an annotation to the block on the line above.
func (j *regrouper) addComment(u unit) {
	last := j.lastBlock()
	if last != nil && countLineBreaks(j.src[last.end():u.Start]) == 1 && isAnnotation(string(j.src[u.Start:u.End])) {
		last.attached = append(last.attached, u.Span)
		return
	}
	u.kind, u.skipped = "", SkippedComment
	j.out = append(j.out, u)
}

// addBlockID attaches an id to the block above it, with or without blank lines
// between them. Obsidian does so for every block but paragraphs and items.
func (j *regrouper) addBlockID(u unit) {
	if last := j.lastBlock(); last != nil && last.kind != memory.KindParagraph && last.kind != memory.KindItem {
		last.attached = append(last.attached, u.Span)
		return
	}
	u.kind, u.skipped = "", SkippedBlockID
	j.out = append(j.out, u)
}

// addParagraph separates the link definitions at the start of a paragraph from
// the rest.
func (j *regrouper) addParagraph(u unit) {
	text := j.src[u.Start:u.End]
	if text[len(text)-len(bytes.TrimLeft(text, " "))] == '[' {
		if n := linkDefinitionsLen(normalizeLineEnds(text)); n > 0 {
			d := unit{Span: Span{u.Start, u.Start + len(bytes.TrimRight(text[:n], blanks))}, skipped: SkippedDefinition}
			j.out = append(j.out, d)
			u.Start += n
		}
	}
	if u.Start < u.End {
		j.out = append(j.out, u)
	}
}

// addHeading splits an underlined heading into a paragraph and a rule if it has
// several lines or more than maxHeadingLen characters. The blank line above its
// --- is probably missing.
func (j *regrouper) addHeading(u unit) {
	text := j.src[u.Start:u.End]
	n := lineStart(text)
	above := strings.TrimSpace(string(text[:n]))
	if n == 0 || !strings.ContainsAny(above, "\r\n") && utf8.RuneCountInString(above) <= maxHeadingLen {
		j.out = append(j.out, u)
		return
	}
	p := unit{Span: Span{u.Start, u.Start + len(bytes.TrimRight(text[:n], blanks))}, kind: memory.KindParagraph}
	j.out = append(j.out, p, unit{Span: Span{u.Start + n, u.End}, skipped: SkippedRule})
}

// attachLeadIn merges a lead-in with the list, code or table below it. A
// lead-in over bullets joins their heading path instead, unless it is too long
// for a heading or has annotations.
func (j *regrouper) attachLeadIn(u *unit) {
	last := j.lastBlock()
	if last == nil || last.kind != memory.KindParagraph {
		return
	}
	text := j.src[last.Start:last.End]
	uncommented := trimTrailingComments(text)
	annotated := len(last.attached) > 0 || len(uncommented) < len(text)
	if annotated && u.firstItem && boldOnly().Match(uncommented) {
		last.leads = true // people use it as a heading
	}
	if unstyled := bytes.TrimRight(uncommented, "*_"); !bytes.HasSuffix(unstyled, []byte(":")) && !bytes.HasSuffix(unstyled, []byte("：")) {
		return
	}
	switch u.kind {
	case memory.KindList, memory.KindCode, memory.KindTable:
		u.leadLen, u.Start = u.Start-last.Start, last.Start
		j.out = j.out[:len(j.out)-1]
	case memory.KindItem:
		last.leads = u.firstItem && annotated
		if u.firstItem && !annotated && utf8.RuneCount(bytes.TrimSpace(text)) <= maxHeadingLen {
			last.kind, last.skipped, last.level = "", SkippedLeadIn, leadInLevel
		}
	}
}

// trimTrailingComments returns a text without the comments at its end.
func trimTrailingComments(text []byte) []byte {
	for bytes.HasSuffix(text, []byte("-->")) {
		n := bytes.LastIndex(text, []byte("<!--"))
		if n < 0 {
			break
		}
		text = bytes.TrimRight(text[:n], blanks)
	}
	return text
}

// countLineBreaks counts line breaks of any kind: LF, CRLF and CR.
func countLineBreaks(b []byte) int {
	return bytes.Count(b, []byte("\n")) + bytes.Count(b, []byte("\r")) - bytes.Count(b, []byte("\r\n"))
}

// linkDefinition matches one definition of a link's target at the start of a
// text by CommonMark's rules. It has a label, a destination and an optional
// title, the latter two on the same line or the next. A footnote is not one.
var linkDefinition = lazyregexp.New(`^ {0,3}\[(?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.)*\]:[ \t]*\n?[ \t]*` +
	`(?:<[^<>\n]*>|[^\s<]\S*)` +
	`(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)`)

// linkDefinitionsLen returns how many bytes at the start of a paragraph define
// links.
func linkDefinitionsLen(paragraph []byte) int {
	n := 0
	for n < len(paragraph) && paragraph[n] != '\n' {
		end := linkDefinition().FindIndex(paragraph[n:])
		if end == nil {
			break
		}
		n += end[1]
	}
	return n
}
