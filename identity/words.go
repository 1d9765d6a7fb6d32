package identity

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// maxWords is how many words of a text are compared, about ten printed pages. A
// longer text was written by a program, and its beginning identifies it.
const maxWords = 4096

// vocabulary assigns numbers to the words of a batch, so that comparing words
// is cheap.
type vocabulary struct {
	ids    map[string]int32
	words  []string
	shapes []shape // of words
}

// shape is what a word and the same word with a typo have nearly in common.
type shape struct {
	length  int
	letters uint64 // the set of its letters, folded to 64 classes
}

func shapeOf(word string) (s shape) {
	for _, r := range word {
		s.length++
		s.letters |= 1 << (r % 64)
	}
	return s
}

// mayBeTypo reports whether two words may differ by one typo. It is a cheap test
// before oneTypo: a typo changes the length by one and two letters at most.
func (v *vocabulary) mayBeTypo(x, y int32) bool {
	a, b := v.shapes[x], v.shapes[y]
	return a.length-b.length <= 1 && b.length-a.length <= 1 && min(a.length, b.length) >= minTypoLen &&
		bits.OnesCount64(a.letters^b.letters) <= 2
}

func newVocabulary() *vocabulary { return &vocabulary{ids: map[string]int32{}} }

// wordList is a text as word numbers: in text order, and sorted.
type wordList struct{ words, sorted []int32 }

// minLen returns the number of words of the shorter text.
func minLen(a, b wordList) int { return min(len(a.words), len(b.words)) }

func (v *vocabulary) wordList(s string) wordList {
	words := v.wordIDs(s)
	sorted := slices.Clone(words)
	slices.Sort(sorted)
	return wordList{words, sorted}
}

// wordIDs returns a text's words in order, without case and punctuation. In
// scripts without spaces between words, each character is a word. In a text
// without letters and digits, each symbol is a word.
func (v *vocabulary) wordIDs(text string) []int32 {
	var out []int32
	add := func(word string) {
		n, seen := v.ids[word]
		if !seen {
			n = int32(len(v.words))
			v.ids[word] = n
			v.words = append(v.words, word)
			v.shapes = append(v.shapes, shapeOf(word))
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

// minTypoLen is the length from which a word with one typo is the same word.
// With four letters, one other letter mostly makes another word (form and from,
// port and post).
const minTypoLen = 5

// oneTypo reports whether two words differ by one letter that is wrong,
// missing, added or swapped with its neighbour. Words with digits never match:
// a changed number is a changed fact.
func oneTypo(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < minTypoLen || len(y)-len(x) > 1 || !onlyLetters(x) || !onlyLetters(y) {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return string(x[i:]) == string(y[i+1:])
	}
	if i == len(x) || string(x[i+1:]) == string(y[i+1:]) {
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
}

func onlyLetters(word []rune) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
