package chunker

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// headingPath is the path of headings above the current position.
type headingPath struct {
	stack []heading
	texts []string // of the headings that have any; shared by blocks, so never changed
}

type heading struct {
	level int
	text  string
}

// push adds a heading and removes those of the same level and below.
func (h *headingPath) push(level int, text string) {
	h.pop(level)
	h.stack = append(h.stack, heading{level, text})
	h.updateTexts()
}

// pop removes the headings of a level and below it.
func (h *headingPath) pop(level int) {
	n := len(h.stack)
	for n > 0 && h.stack[n-1].level >= level {
		n--
	}
	if n < len(h.stack) {
		h.stack = h.stack[:n]
		h.updateTexts()
	}
}

func (h *headingPath) updateTexts() {
	h.texts = nil
	for _, x := range h.stack {
		if x.text != "" {
			h.texts = append(h.texts, x.text)
		}
	}
	h.texts = slices.Clip(h.texts)
}

var (
	closingHashes = lazyregexp.New(`(?:^|[ \t])#+[ \t]*$`)
	wikilink      = lazyregexp.New(`!?\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n|]*)\]\]`)
	inlineLink    = lazyregexp.New(`!?\[([^\[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)`)
	strong        = lazyregexp.New("\\*\\*|~~|`")
	struckHeading = lazyregexp.New(`^~~[^~]+~~$`)
	emphasis      = lazyregexp.New(`(^|[\s(])[*_](\S[^*_]*)[*_]([\s).,:!?]|$)`)
)

// headingText returns the text of a heading or a lead-in without Markdown marks
// and annotations.
func headingText(u unit, src []byte) string {
	text := cleanSource(src)
	if u.skipped == SkippedHeading {
		if n := strings.LastIndexByte(text, '\n'); n >= 0 {
			text = text[:n] // without the underline
		} else {
			text = strings.TrimLeft(strings.TrimLeft(text, " \t"), "#")
			if strings.HasSuffix(text, "#") {
				text = closingHashes().ReplaceAllString(text, "")
			}
		}
	}
	var b memory.Block
	new(annotator).extract(&b, strings.Join(strings.Fields(text), " "))
	if text = b.Text; !strings.ContainsAny(text, "[*_~`") {
		return strings.TrimSpace(strings.TrimRight(text, ":："))
	}
	text = inlineLink().ReplaceAllString(wikilink().ReplaceAllString(text, "$1"), "$1")
	if struck := struckHeading().FindString(strings.TrimSpace(text)); struck != "" {
		return struck // the mark is part of what the author says
	}
	text = emphasis().ReplaceAllString(strong().ReplaceAllString(text, ""), "$1$2$3")
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":："))
}
