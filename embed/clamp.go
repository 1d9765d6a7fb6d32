package embed

import (
	"strings"
	"unicode/utf8"
)

// Limits limits the length of embedded texts. A longer text keeps its beginning and
// its end, which usually contain the topic and the result.
type Limits struct {
	MaxChars  int // characters; 0: no limit
	HeadChars int // how many of MaxChars are the beginning
	MaxBytes  int // bytes of UTF-8; 0: no limit
}

// gapText replaces the middle of a text. No model treats it as a word.
const gapText = "\n\n"

// Clamp shortens the text to the limits. It drops bytes that are not UTF-8.
func (l Limits) Clamp(text string) string {
	text = strings.ToValidUTF8(text, "")
	if n := l.MaxChars; n > 0 && len(text) > n && utf8.RuneCountInString(text) > n {
		runes := []rune(text)
		head := min(max(l.HeadChars, 0), n)
		tail := max(n-head-len(gapText), 0)
		text = string(runes[:head]) + gapText[:min(len(gapText), n-head)] + string(runes[len(runes)-tail:])
	}
	if n := l.MaxBytes; n > 0 && len(text) > n {
		head := min(max(l.HeadChars, 0), n/2)
		tail := max(n-head-len(gapText), 0)
		// A character that the cut splits is dropped.
		begins := []rune(strings.ToValidUTF8(text[:head], "") + gapText[:min(len(gapText), n-head)])
		ends := []rune(strings.ToValidUTF8(text[len(text)-tail:], ""))
		if n := l.MaxChars; n > 0 { // the gap may have more characters than the text that it replaces
			begins = begins[:min(len(begins), n)]
			ends = ends[max(0, len(begins)+len(ends)-n):]
		}
		text = string(begins) + string(ends)
	}
	return text
}
