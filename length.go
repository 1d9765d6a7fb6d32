package memory

import (
	"unicode"
	"unicode/utf8"
)

// Limits of the text of a memory that a command or a conversation adds, in characters. No limit
// holds for what a person writes in Markdown.
const (
	minText       = 10
	maxStoredText = 10_000
)

// IsFragment reports whether a text is too short to mean something later. A character of Chinese
// or Japanese counts as two, because it is half a word.
func IsFragment(text string) bool {
	length := 0
	for _, r := range text {
		if length++; unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			length++
		}
	}
	return length < minText
}

// CheckStored returns what is wrong with the length of a text that is to be stored.
func CheckStored(text string) error {
	n := utf8.RuneCountInString(text)
	switch {
	case IsFragment(text):
		return Invalid("text", "%d characters are too few for a memory; it needs %d, or %d in Chinese and Japanese", n, minText, minText/2).
			WithHint("write a whole sentence that says what it is about; a line in a Markdown file of the workspace may be shorter")
	case n > maxStoredText:
		return Invalid("text", "a memory has at most %d characters; this text has %d", maxStoredText, n).
			WithHint("write a longer text into a Markdown file of the workspace yourself")
	}
	return nil
}
