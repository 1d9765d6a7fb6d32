package redact

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// Headings, comments, link definitions and front matter are no memories, and they may
// repeat a forgotten text. They are left out of a served file then.

// hiddenPieces returns the parts of a file's body outside its memories, and the
// comments anywhere, that repeat a hidden text.
func (f Files) hiddenPieces(src []byte, bodyStart int, layout chunker.Layout) (spans []frontmatter.Span) {
	if f.Redactions.IsEmpty() {
		return nil
	}
	for _, s := range layout.Skipped {
		text := string(src[s.Start:s.End])
		switch s.Kind {
		case chunker.SkippedHeading, chunker.SkippedLeadIn:
			if title := chunker.Clean(s.Text); title != "" && f.Redactions.HidesHeading(chunker.Fingerprint(title), title, s.Heading) {
				spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
			}
		case chunker.SkippedDefinition:
			if f.anyHidden(definitionTexts(text), s.Heading) {
				spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
			}
		}
	}
	for _, at := range comment.FindAllSubmatchIndex(src[bodyStart:], -1) {
		text := string(src[bodyStart+at[2] : bodyStart+at[3]])
		if f.anyHidden(commentTexts(text), headingAt(layout, bodyStart+at[0])) {
			spans = append(spans, frontmatter.Span{Start: bodyStart + at[0], End: bodyStart + at[1]})
		}
	}
	return spans
}

// hidesHead reports whether a file's front matter repeats a hidden text.
func (f Files) hidesHead(src []byte, parsed frontmatter.Parsed) bool {
	return !f.Redactions.IsEmpty() && f.anyHidden(frontmatter.HeadTexts(src, parsed), nil)
}

func (f Files) isHidden(text string, heading []string) bool {
	text = chunker.Clean(text)
	return text != "" && f.Redactions.HidesText(chunker.Fingerprint(text), text, heading)
}

func (f Files) anyHidden(texts, heading []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return f.isHidden(text, heading) })
}

// definition matches [label]: <target> "title", with the title on the same or the next
// line.
var definition = regexp.MustCompile(`(?m)^[ \t>]*\[((?:\\.|[^\]\\])+)\]:\s*(<[^<>\n]*>|\S+)(?:\s+["'(](.*?)["')]\s*$)?`)

// definitionTexts returns the labels, targets and titles of link definitions.
func definitionTexts(text string) (texts []string) {
	for _, parts := range definition.FindAllStringSubmatch(text, -1) {
		texts = append(texts, parts[1], strings.Trim(parts[2], "<>"), parts[3])
	}
	return append(texts, text)
}

// headingAt returns the heading path at a position of a file.
func headingAt(layout chunker.Layout, at int) []string {
	skipped := sort.Search(len(layout.Skipped), func(i int) bool { return layout.Skipped[i].Start > at }) - 1
	block := sort.Search(len(layout.Blocks), func(i int) bool { return layout.Blocks[i].Start > at }) - 1
	switch {
	case skipped < 0 && block < 0:
		return nil
	case skipped < 0 || block >= 0 && layout.Blocks[block].Start > layout.Skipped[skipped].Start:
		return layout.Blocks[block].Heading
	}
	s := layout.Skipped[skipped]
	if s.Kind == chunker.SkippedHeading && s.Text != "" {
		return slices.Concat(s.Heading, []string{s.Text})
	}
	return s.Heading
}
