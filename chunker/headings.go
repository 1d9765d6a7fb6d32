package chunker

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// headingPath is the path of headings above where the reading has come to.
type headingPath struct {
	stack []heading
	texts []string // the words of those that have any; never written to again
}

type heading struct {
	level int
	text  string
}

// push opens a heading and closes those that it ends.
func (h *headingPath) push(level int, words string) {
	h.pop(level)
	h.stack = append(h.stack, heading{level, words})
	h.updateTexts()
}

// pop ends the headings of a level and below it.
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
	closingHashes = regexp.MustCompile(`(?:^|[ \t])#+[ \t]*$`)
	wikilink      = regexp.MustCompile(`!?\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n|]*)\]\]`)
	inlineLink    = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)`)
	strong        = regexp.MustCompile("\\*\\*|~~|`")
	emphasis      = regexp.MustCompile(`(^|[\s(])[*_](\S[^*_]*)[*_]([\s).,:!?]|$)`)
)

// headingText is what a heading or a lead-in says, without its marks and
// annotations.
func headingText(u unit, src []byte) string {
	text := cleanSource(src)
	if u.skipped == SkippedHeading {
		if n := strings.LastIndexByte(text, '\n'); n >= 0 {
			text = text[:n] // an underline follows
		} else {
			text = strings.TrimLeft(strings.TrimLeft(text, " \t"), "#")
			if strings.HasSuffix(text, "#") {
				text = closingHashes.ReplaceAllString(text, "")
			}
		}
	}
	var b memory.Block
	extractAnnotations(&b, strings.Join(strings.Fields(text), " "))
	if text = b.Text; !strings.ContainsAny(text, "[*_~`") {
		return strings.TrimSpace(strings.TrimRight(text, ":："))
	}
	text = inlineLink.ReplaceAllString(wikilink.ReplaceAllString(text, "$1"), "$1")
	text = emphasis.ReplaceAllString(strong.ReplaceAllString(text, ""), "$1$2$3")
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":："))
}
