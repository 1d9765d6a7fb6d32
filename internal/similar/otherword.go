package similar

import (
	"strings"
	"unicode/utf8"
)

// Words of one meaning are alike: one is a form of the other, or a slip of the keyboard.
const (
	minForm      = 4 // characters that two forms of a word share at their beginning
	minMistyped  = 5 // characters of a word that may be mistyped
	maxRemainder = 3 // characters of an ending
)

// contentWords returns the words of a text that count, in small letters.
func contentWords(text string) (words []string) {
	for field := range strings.FieldsSeq(text) {
		if word := strings.ToLower(trimPunctuation(field)); word != "" && classOf(word) != stopWord {
			words = append(words, word)
		}
	}
	return words
}

// areForms reports whether two words are the same, forms of one word, or one of them
// mistyped.
func areForms(a, b string) bool {
	if a == b || lightStem(a) == lightStem(b) {
		return true
	}
	x, y := []rune(a), []rune(b)
	start := 0
	for start < min(len(x), len(y)) && x[start] == y[start] {
		start++
	}
	x, y = x[start:], y[start:]
	if start >= minForm && max(len(x), len(y)) <= maxRemainder {
		return true
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	shortest := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return shortest >= minMistyped && start > 0 && (max(len(x), len(y)) <= 1 || swapped)
}
