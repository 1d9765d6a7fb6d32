package wording

import (
	"strings"
	"unicode"
)

// MinText is the length of the shortest text that a command or a conversation adds, in characters.
// No limit holds for what a person writes in Markdown.
const MinText = 10

// IsFragment reports whether a text is too short to mean something later. A character of Chinese
// or Japanese counts as two, because it is half a word.
func IsFragment(text string) bool {
	length := 0
	for _, r := range strings.TrimSpace(text) {
		if length++; unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			length++
		}
	}
	return length < MinText
}
