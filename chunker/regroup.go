package chunker

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

const (
	// maxHeadingLen is how many characters a lead-in or an underlined line may
	// have to be a heading: what is longer says something of its own, and a
	// heading is never a memory.
	maxHeadingLen = 160
	// leadInLevel makes a lead-in the heading of the bullets after it, below any
	// real heading.
	leadInLevel = 7
)

var (
	// commentsOnly is an HTML block that shows nothing.
	commentsOnly = regexp.MustCompile(`^(?s:\s*<!--.*?-->)+\s*$`)
	// blockIDOnly is a block id that stands under what it names.
	blockIDOnly = regexp.MustCompile(`^[ \t]*\^[A-Za-z0-9-]+$`)
)

// regroup settles what the parser cannot know: a comment or a block id belongs to
// what it stands under, link definitions are no memories, a lead-in goes with
// what it leads to.
func regroup(src []byte, units []unit) []unit {
	j := regrouper{src: src, out: make([]unit, 0, len(units))}
	for _, u := range units {
		text := src[u.Start:u.End]
		switch {
		case u.kind == memory.KindHTML && commentsOnly.Match(text):
			j.addComment(u)
		case u.kind == memory.KindParagraph && blockIDOnly.Match(text):
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

// lastBlock is the block before, nil where something else stands before.
func (j *regrouper) lastBlock() *unit {
	if n := len(j.out); n > 0 && j.out[n-1].kind != "" {
		return &j.out[n-1]
	}
	return nil
}

// addComment joins an annotation to the block on the line above.
func (j *regrouper) addComment(u unit) {
	last := j.lastBlock()
	if last != nil && countLineBreaks(j.src[last.end():u.Start]) == 1 && isAnnotation(string(j.src[u.Start:u.End])) {
		last.attached = append(last.attached, u.Span)
		return
	}
	u.kind, u.skipped = "", SkippedComment
	j.out = append(j.out, u)
}

// addBlockID joins an id to what it stands under, blank lines or none between them:
// so Obsidian has it for whatever is no paragraph and no item.
func (j *regrouper) addBlockID(u unit) {
	if last := j.lastBlock(); last != nil && last.kind != memory.KindParagraph && last.kind != memory.KindItem {
		last.attached = append(last.attached, u.Span)
		return
	}
	u.kind, u.skipped = "", SkippedBlockID
	j.out = append(j.out, u)
}

// addParagraph parts the link definitions that it begins with from the rest.
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

// addHeading makes a paragraph and a rule of an underlined heading that is none: a
// paragraph with --- right under it, without the blank line that was meant.
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

// attachLeadIn makes one block of a lead-in and the list, code or table under it. A
// lead-in over bullets stays apart: it joins their heading path, unless it says
// more than a heading could hold.
func (j *regrouper) attachLeadIn(u *unit) {
	last := j.lastBlock()
	if last == nil || last.kind != memory.KindParagraph {
		return
	}
	text := j.src[last.Start:last.End]
	uncommented := trimTrailingComments(text)
	if unstyled := bytes.TrimRight(uncommented, "*_"); !bytes.HasSuffix(unstyled, []byte(":")) && !bytes.HasSuffix(unstyled, []byte("：")) {
		return
	}
	switch u.kind {
	case memory.KindList, memory.KindCode, memory.KindTable:
		u.leadLen, u.Start = u.Start-last.Start, last.Start
		j.out = j.out[:len(j.out)-1]
	case memory.KindItem:
		annotated := len(last.attached) > 0 || len(uncommented) < len(text)
		if u.firstItem && !annotated && utf8.RuneCount(bytes.TrimSpace(text)) <= maxHeadingLen {
			last.kind, last.skipped, last.level = "", SkippedLeadIn, leadInLevel
		}
	}
}

// trimTrailingComments is a text without those that it ends with.
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

// countLineBreaks counts them, however they are written.
func countLineBreaks(b []byte) int {
	return bytes.Count(b, []byte("\n")) + bytes.Count(b, []byte("\r")) - bytes.Count(b, []byte("\r\n"))
}

// linkDefinition is one definition of a link's target at the start of a text, as
// CommonMark has it: label, destination and title, the latter two on the same
// line or the next. A footnote's text is no target.
var linkDefinition = regexp.MustCompile(`^ {0,3}\[(?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.)*\]:[ \t]*\n?[ \t]*` +
	`(?:<[^<>\n]*>|[^\s<]\S*)` +
	`(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)`)

// linkDefinitionsLen is how many bytes at the start of a paragraph define links.
func linkDefinitionsLen(paragraph []byte) int {
	n := 0
	for n < len(paragraph) && paragraph[n] != '\n' {
		end := linkDefinition.FindIndex(paragraph[n:])
		if end == nil {
			break
		}
		n += end[1]
	}
	return n
}
