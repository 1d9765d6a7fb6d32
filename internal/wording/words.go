package wording

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Visible returns a text as one line in NFC, without invisible characters.
func Visible(text string) string {
	text = strings.Map(func(c rune) rune {
		if isInvisible(c) {
			return -1
		}
		return c
	}, norm.NFC.String(text))
	return strings.Join(strings.Fields(text), " ")
}

// Repeats reports whether a text is nearly a copy of another one. It has all words of
// the original in their order and at most a fifth more, or one more. Or it has at least
// four fifths of them in their order, and nothing else. Words are compared as [Of] does.
// Characters of scripts without spaces are words. A single word is never repeated:
// it may occur in any text.
func Repeats(text, original string) bool { return repeats(Words(text), Words(original)) }

// repeats is [Repeats] for texts in words.
func repeats(mine, theirs []string) bool {
	n := len(theirs)
	switch {
	case n < 2:
		return false
	case len(mine) >= n:
		return len(mine)-n <= max(1, n/5) && containsInOrder(mine, theirs)
	}
	return 5*len(mine) >= 4*n && containsInOrder(theirs, mine)
}

// containsInOrder reports whether list contains all words of part in their order.
func containsInOrder(list, part []string) bool {
	for _, word := range list {
		if len(part) > 0 && word == part[0] {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// CountWords returns the number of words between white space. Each character of a script
// without spaces is a word.
func CountWords(text string) (n int) {
	inWord := false
	for _, c := range text {
		if unicode.IsSpace(c) {
			inWord = false
			continue
		}
		if !inWord || isUnspaced(c) {
			n++
		}
		inWord = true
	}
	return n
}

// isUnspaced reports whether a character is a letter of a script without spaces between words.
func isUnspaced(c rune) bool {
	return c >= 0xe00 && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(c)
}

// Words returns the words of a text in small letters, without markup and punctuation.
func Words(text string) (list []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			list = append(list, word.String())
			word.Reset()
		}
	}
	for _, c := range withoutCase(withoutMarkup(text)) {
		switch {
		case isInvisible(c), c < 0x80 && isEmphasis(byte(c)):
		case isUnspaced(c):
			end()
			word.WriteRune(fold(c))
			end()
		case unicode.In(c, unicode.L, unicode.M, unicode.N):
			word.WriteRune(fold(c))
		default:
			end()
		}
	}
	end()
	return list
}

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
