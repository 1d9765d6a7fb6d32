package chunker

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

const (
	// longestHeading is how many characters a lead-in or an underlined line may
	// have to be a heading: what is longer says something of its own, and a
	// heading is never a memory.
	longestHeading = 160
	// leadInLevel makes a lead-in the heading of the bullets after it, below any
	// real heading.
	leadInLevel = 7
)

var (
	// onlyComments is an HTML block that shows nothing.
	onlyComments = regexp.MustCompile(`^(?s:\s*<!--.*?-->)+\s*$`)
	// onlyBlockID is a block id that stands under what it names.
	onlyBlockID = regexp.MustCompile(`^[ \t]*\^[A-Za-z0-9-]+$`)
)

// join settles what the parser cannot know: a comment or a block id belongs to
// what it stands under, link definitions are no memories, a lead-in goes with
// what it leads to.
func join(src []byte, units []unit) []unit {
	j := joiner{src: src, out: make([]unit, 0, len(units))}
	for _, u := range units {
		text := src[u.Start:u.End]
		switch {
		case u.kind == memory.KindHTML && onlyComments.Match(text):
			j.comment(u)
		case u.kind == memory.KindParagraph && onlyBlockID.Match(text):
			j.blockID(u)
		case u.kind == memory.KindParagraph:
			j.paragraph(u)
		case u.other == OtherHeading:
			j.heading(u)
		default:
			j.leadIn(&u)
			j.out = append(j.out, u)
		}
	}
	return j.out
}

type joiner struct {
	src []byte
	out []unit
}

// last is the block before, nil where something else stands before.
func (j *joiner) last() *unit {
	if n := len(j.out); n > 0 && j.out[n-1].kind != "" {
		return &j.out[n-1]
	}
	return nil
}

// comment joins an annotation to the block on the line above.
func (j *joiner) comment(u unit) {
	last := j.last()
	if last != nil && lineBreaks(j.src[last.end():u.Start]) == 1 && annotates(string(j.src[u.Start:u.End])) {
		last.loose = append(last.loose, u.Span)
		return
	}
	u.kind, u.other = "", OtherComment
	j.out = append(j.out, u)
}

// blockID joins an id to what it stands under, blank lines or none between them:
// so Obsidian has it for whatever is no paragraph and no item.
func (j *joiner) blockID(u unit) {
	if last := j.last(); last != nil && last.kind != memory.KindParagraph && last.kind != memory.KindItem {
		last.loose = append(last.loose, u.Span)
		return
	}
	u.kind, u.other = "", OtherBlockID
	j.out = append(j.out, u)
}

// paragraph parts the link definitions that it begins with from the rest.
func (j *joiner) paragraph(u unit) {
	text := j.src[u.Start:u.End]
	if text[len(text)-len(bytes.TrimLeft(text, " "))] == '[' {
		if n := definitions(lineFed(text)); n > 0 {
			d := unit{Span: Span{u.Start, u.Start + len(bytes.TrimRight(text[:n], blank))}, other: OtherDefinition}
			j.out = append(j.out, d)
			u.Start += n
		}
	}
	if u.Start < u.End {
		j.out = append(j.out, u)
	}
}

// heading makes a paragraph and a rule of an underlined heading that is none: a
// paragraph with --- right under it, without the blank line that was meant.
func (j *joiner) heading(u unit) {
	text := j.src[u.Start:u.End]
	n := lineStart(text)
	above := strings.TrimSpace(string(text[:n]))
	if n == 0 || !strings.ContainsAny(above, "\r\n") && utf8.RuneCountInString(above) <= longestHeading {
		j.out = append(j.out, u)
		return
	}
	p := unit{Span: Span{u.Start, u.Start + len(bytes.TrimRight(text[:n], blank))}, kind: memory.KindParagraph}
	j.out = append(j.out, p, unit{Span: Span{u.Start + n, u.End}, other: OtherRule})
}

// leadIn makes one block of a lead-in and the list, code or table under it. A
// lead-in over bullets stays apart: it joins their heading path, unless it says
// more than a heading could hold.
func (j *joiner) leadIn(u *unit) {
	last := j.last()
	if last == nil || last.kind != memory.KindParagraph {
		return
	}
	text := j.src[last.Start:last.End]
	bare := withoutComments(text)
	if said := bytes.TrimRight(bare, "*_"); !bytes.HasSuffix(said, []byte(":")) && !bytes.HasSuffix(said, []byte("：")) {
		return
	}
	switch u.kind {
	case memory.KindList, memory.KindCode, memory.KindTable:
		u.lead, u.Start = u.Start-last.Start, last.Start
		j.out = j.out[:len(j.out)-1]
	case memory.KindItem:
		annotated := len(last.loose) > 0 || len(bare) < len(text)
		if u.first && !annotated && utf8.RuneCount(bytes.TrimSpace(text)) <= longestHeading {
			last.kind, last.other, last.level = "", OtherLeadIn, leadInLevel
		}
	}
}

// withoutComments is a text without those that it ends with.
func withoutComments(text []byte) []byte {
	for bytes.HasSuffix(text, []byte("-->")) {
		n := bytes.LastIndex(text, []byte("<!--"))
		if n < 0 {
			break
		}
		text = bytes.TrimRight(text[:n], blank)
	}
	return text
}

// lineBreaks counts them, however they are written.
func lineBreaks(b []byte) int {
	return bytes.Count(b, []byte("\n")) + bytes.Count(b, []byte("\r")) - bytes.Count(b, []byte("\r\n"))
}
