package embed

import (
	"strings"
	"unicode/utf8"
)

// Limits bounds what of a text is embedded. What is longer keeps its beginning
// and its end, where texts say what they are about and what came of it.
type Limits struct {
	MaxChars  int // characters; 0: any number
	HeadChars int // how many of them are the beginning
	MaxBytes  int // bytes of UTF-8; 0: any number
}

// gap stands where the middle of a text was: a break that no model takes for a word.
const gap = "\n\n"

// Clamp gives the text within the limits. What is not UTF-8 in it is dropped.
func (l Limits) Clamp(text string) string {
	text = strings.ToValidUTF8(text, "")
	if n := l.MaxChars; n > 0 && len(text) > n && utf8.RuneCountInString(text) > n {
		runes := []rune(text)
		head := min(max(l.HeadChars, 0), n)
		tail := max(n-head-len(gap), 0)
		text = string(runes[:head]) + gap[:min(len(gap), n-head)] + string(runes[len(runes)-tail:])
	}
	if n := l.MaxBytes; n > 0 && len(text) > n {
		head := min(max(l.HeadChars, 0), n/2)
		tail := max(n-head-len(gap), 0)
		// Half a character at a cut is dropped.
		begins := []rune(strings.ToValidUTF8(text[:head], "") + gap[:min(len(gap), n-head)])
		ends := []rune(strings.ToValidUTF8(text[len(text)-tail:], ""))
		if n := l.MaxChars; n > 0 { // the gap may have more characters than were left out
			begins = begins[:min(len(begins), n)]
			ends = ends[max(0, len(begins)+len(ends)-n):]
		}
		text = string(begins) + string(ends)
	}
	return text
}
