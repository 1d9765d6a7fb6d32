package identity

import (
	"slices"
	"strings"
	"unicode"
)

// maxWords is how many words of a text are compared, about ten printed pages. A
// longer text was written by a program, and its beginning identifies it.
const maxWords = 4096

// vocabulary assigns numbers to the words of a batch, so that comparing words
// is cheap.
type vocabulary map[string]int32

// wordList is a text as word numbers: in text order, and sorted.
type wordList struct{ words, sorted []int32 }

// minLen returns the number of words of the shorter text.
func minLen(a, b wordList) int { return min(len(a.words), len(b.words)) }

func (v vocabulary) wordList(s string) wordList {
	words := v.wordIDs(s)
	sorted := slices.Clone(words)
	slices.Sort(sorted)
	return wordList{words, sorted}
}

// wordIDs returns a text's words in order, without case and punctuation. In
// scripts without spaces between words, each character is a word. In a text
// without letters and digits, each symbol is a word.
func (v vocabulary) wordIDs(text string) []int32 {
	var out []int32
	add := func(word string) {
		n, seen := v[word]
		if !seen {
			n = int32(len(v))
			v[word] = n
		}
		out = append(out, n)
	}
	start := -1
	for i, r := range text {
		if len(out) >= maxWords {
			return out
		}
		alone := isUnspacedScript(r)
		inWord := !alone && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
		if start >= 0 && !inWord {
			add(strings.ToLower(text[start:i]))
			start = -1
		}
		switch {
		case alone:
			add(string(r))
		case inWord && start < 0:
			start = i
		}
	}
	if start >= 0 {
		add(strings.ToLower(text[start:]))
	}
	if len(out) == 0 {
		for _, r := range text {
			if !unicode.IsSpace(r) && len(out) < maxWords {
				add(string(r))
			}
		}
	}
	return out
}

// isUnspacedScript reports whether the script of a character has no spaces
// between words.
func isUnspacedScript(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
