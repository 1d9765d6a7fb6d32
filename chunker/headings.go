package chunker

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// headings is the path of headings above where the reading has come to.
type headings struct {
	open  []heading
	names []string // the words of those that have any; never written to again
}

type heading struct {
	level int
	words string
}

// push opens a heading and closes those that it ends.
func (h *headings) push(level int, words string) {
	h.close(level)
	h.open = append(h.open, heading{level, words})
	h.name()
}

// close ends the headings of a level and below it.
func (h *headings) close(level int) {
	n := len(h.open)
	for n > 0 && h.open[n-1].level >= level {
		n--
	}
	if n < len(h.open) {
		h.open = h.open[:n]
		h.name()
	}
}

func (h *headings) name() {
	h.names = nil
	for _, x := range h.open {
		if x.words != "" {
			h.names = append(h.names, x.words)
		}
	}
	h.names = slices.Clip(h.names)
}

var (
	closing  = regexp.MustCompile(`(?:^|[ \t])#+[ \t]*$`)
	wikilink = regexp.MustCompile(`!?\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n|]*)\]\]`)
	hyperref = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)`)
	strong   = regexp.MustCompile("\\*\\*|~~|`")
	emphasis = regexp.MustCompile(`(^|[\s(])[*_](\S[^*_]*)[*_]([\s).,:!?]|$)`)
)

// headingWords is what a heading or a lead-in says, without its marks and
// annotations.
func headingWords(u unit, src []byte) string {
	text := clean(src)
	if u.other == OtherHeading {
		if n := strings.LastIndexByte(text, '\n'); n >= 0 {
			text = text[:n] // an underline follows
		} else {
			text = strings.TrimLeft(strings.TrimLeft(text, " \t"), "#")
			if strings.HasSuffix(text, "#") {
				text = closing.ReplaceAllString(text, "")
			}
		}
	}
	var b memory.Block
	annotate(&b, strings.Join(strings.Fields(text), " "))
	if text = b.Text; !strings.ContainsAny(text, "[*_~`") {
		return strings.TrimSpace(strings.TrimRight(text, ":："))
	}
	text = hyperref.ReplaceAllString(wikilink.ReplaceAllString(text, "$1"), "$1")
	text = emphasis.ReplaceAllString(strong.ReplaceAllString(text, ""), "$1$2$3")
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":："))
}
