package redact

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// withheldHeadings returns the headings of sections that a comment keeps from a model. The
// comment stands in the heading or below it, before the first memory.
func (f Files) withheldHeadings(src []byte, layout chunker.Layout) (spans []frontmatter.Span) {
	var section []string // the path of the section that is withheld; nil: none
	for i, s := range layout.Skipped {
		if s.Kind != chunker.SkippedHeading {
			continue
		}
		inside := section != nil && isInside(s.Heading, section)
		if !inside {
			section = nil
		}
		if inside || f.isWithheld(chunker.Protection(headingLines(src, layout, i))) {
			spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
		}
		if !inside && len(spans) > 0 && spans[len(spans)-1].Start == s.Start && s.Text != "" {
			section = slices.Concat(s.Heading, []string{s.Text})
		}
	}
	return spans
}

// emptiedHeadings returns the headings and lead-ins below which memories are hidden and
// none is left. They tell what the hidden ones are about.
func emptiedHeadings(layout chunker.Layout, hidden func(int) bool) (spans []frontmatter.Span) {
	for i, s := range layout.Skipped {
		if (s.Kind == chunker.SkippedHeading || s.Kind == chunker.SkippedLeadIn) && s.Text != "" && isEmptied(layout, i, hidden) {
			spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
		}
	}
	return spans
}

// isEmptied reports whether a heading or lead-in has memories, and all of them are hidden.
func isEmptied(layout chunker.Layout, i int, hidden func(int) bool) bool {
	heading := layout.Skipped[i]
	path := slices.Concat(heading.Heading, []string{heading.Text})
	first := sort.Search(len(layout.Blocks), func(k int) bool { return layout.Blocks[k].Start >= heading.End })
	end := first
	for end < len(layout.Blocks) && isInside(layout.Blocks[end].Heading, path) {
		end++
	}
	for _, s := range layout.Skipped[i+1:] {
		if s.Kind == chunker.SkippedHeading && !isInside(s.Heading, path) { // another section, which may have the same name
			end = min(end, sort.Search(len(layout.Blocks), func(k int) bool { return layout.Blocks[k].Start >= s.Start }))
			break
		}
	}
	for k := first; k < end; k++ {
		if !hidden(k) {
			return false
		}
	}
	return end > first
}

// isInside reports whether a heading path is that of a section, or of one below it.
func isInside(headings, section []string) bool {
	return len(headings) >= len(section) && slices.Equal(headings[:len(section)], section)
}

// headingLines returns a heading with the comments below it, up to the next heading or
// memory.
func headingLines(src []byte, layout chunker.Layout, i int) string {
	end := len(src)
	for _, b := range layout.Blocks {
		if b.Start >= layout.Skipped[i].End {
			end = b.Start
			break
		}
	}
	for _, s := range layout.Skipped[i+1:] {
		if s.Kind == chunker.SkippedHeading {
			end = min(end, s.Start)
			break
		}
	}
	return string(src[layout.Skipped[i].Start:end])
}

// definition matches [label]: target.
var definition = regexp.MustCompile(`(?m)^[ \t>]*\[((?:\\.|[^\]\\])+)\]:\s*(<[^<>\n]*>|\S+)(?:\s+["'(](.*?)["')]\s*$)?`)

// reference matches a label in brackets, as links and footnotes use it.
var reference = regexp.MustCompile(`\[((?:\\.|[^\[\]\\])+)\]`)

// footnote matches the beginning of a footnote's text.
var footnote = regexp.MustCompile(`^[ \t]*\[(\^[^\[\]\s]+)\]:`)

// withheldTargets returns the link definitions and footnotes of a file that hidden
// memories refer to, and no other one does. hidden reports whether a block is hidden.
func withheldTargets(src []byte, layout chunker.Layout, hidden func(int) bool) (spans []frontmatter.Span) {
	ofHidden, ofShown := map[string]bool{}, map[string]bool{}
	for i, b := range layout.Blocks {
		uses := ofShown
		if hidden(i) {
			uses = ofHidden
		}
		text := string(src[b.Start:b.End])
		for _, found := range reference.FindAllStringSubmatch(text[len(footnote.FindString(text)):], -1) {
			uses[labelKey(found[1])] = true
		}
	}
	withheld := func(label string) bool { return ofHidden[labelKey(label)] && !ofShown[labelKey(label)] }
	for _, s := range layout.Skipped {
		if s.Kind != chunker.SkippedDefinition {
			continue
		}
		at := definition.FindAllSubmatchIndex(src[s.Start:s.End], -1)
		for _, found := range at {
			if withheld(string(src[s.Start+found[2] : s.Start+found[3]])) {
				spans = append(spans, frontmatter.Span{Start: s.Start + found[0], End: s.Start + found[1]})
			}
		}
	}
	for i, b := range layout.Blocks {
		if label := footnoteLabel(src, b); label != "" && !hidden(i) && withheld(label) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	return spans
}

// footnoteLabel returns the label of a footnote's text, or "".
func footnoteLabel(src []byte, b memory.Block) string {
	if found := footnote.FindSubmatch(src[b.Start:b.End]); found != nil {
		return string(found[1])
	}
	return ""
}

// labelKey returns a label as Markdown compares it.
func labelKey(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }
