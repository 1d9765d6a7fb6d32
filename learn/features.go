package learn

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/lang"
)

// maxBytes is the most bytes of a text that count. A sentence is shorter.
const maxBytes = 1200

// Fold removes differences of spelling that mean nothing: width, case, accents, marks and letters
// that are drawn out ("heyyyy"), and Katakana for Hiragana.
func Fold(text string) string {
	const katakana, lastKatakana, toHiragana = 'ァ', 'ヶ', 'ァ' - 'ぁ'
	return shortenRuns(strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r >= katakana && r <= lastKatakana:
			return r - toHiragana
		case r == '’':
			return '\''
		}
		return r
	}, norm.NFC.String(strings.Map(withoutMark, norm.NFKD.String(text)))))
}

// shortenRuns leaves two of three or more equal letters or marks. Digits and characters of
// Chinese, Japanese and Korean stay.
func shortenRuns(text string) string {
	var previous rune
	run := 0
	return strings.Map(func(r rune) rune {
		if run++; r != previous {
			previous, run = r, 1
		}
		if run > 2 && !unicode.IsDigit(r) && !lang.IsEastAsian(r) {
			return -1
		}
		return r
	}, text)
}

// withoutMark removes accents, but not the marks of voiced Kana, which make other words.
func withoutMark(r rune) rune {
	const firstMark, voiced, halfVoiced = '\u0300', '\u3099', '\u309a'
	if r >= firstMark && r != voiced && r != halfVoiced && unicode.In(r, unicode.Mn, unicode.Me) {
		return -1
	}
	return r
}

// Features returns the numbers of the features of a text, each once and below buckets. Features are
// words, runs of two and three of them, pieces of words, and the shape of the text.
func Features(text string, buckets uint32) []uint32 {
	f := extractor{buckets: buckets}
	tokens := tokenize(beginning(Fold(text)))
	f.addShape(beginning(text), len(tokens))
	previous := "^"
	for i, token := range tokens {
		f.add("word", token)
		f.add("pair", previous, token)
		if i > 1 {
			f.add("gap", tokens[i-2], token)
			f.add("triple", tokens[i-2], previous, token)
		}
		if i < 3 {
			f.add("begin", token)
		}
		if i >= len(tokens)-3 {
			f.add("end", token)
		}
		f.addPieces(token)
		previous = token
	}
	f.add("pair", previous, "$")
	slices.Sort(f.found)
	return slices.Compact(f.found)
}

func beginning(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "")
}

type extractor struct {
	buckets uint32
	found   []uint32
}

// add adds a feature: the FNV-1a hash of its parts.
func (f *extractor) add(parts ...string) {
	const offset, prime, separator = 2166136261, 16777619, 0x1f
	h := uint32(offset)
	for _, part := range parts {
		for i := range len(part) {
			h = (h ^ uint32(part[i])) * prime
		}
		h = (h ^ separator) * prime
	}
	h ^= h >> 15 // the low bits of FNV are weak
	f.found = append(f.found, h%f.buckets)
}

// addPieces adds the pieces of three to five letters of a word.
func (f *extractor) addPieces(word string) {
	letters := []rune("<" + word + ">")
	if !unicode.IsLetter(letters[1]) || lang.IsEastAsian(letters[1]) {
		return
	}
	for size := 3; size <= 5; size++ {
		for i := 0; i+size <= len(letters); i++ {
			f.add("piece", string(letters[i:i+size]))
		}
	}
}

// addShape adds the length of a text in steps, and whether it has digits, names and quotations.
func (f *extractor) addShape(text string, tokens int) {
	step := 0
	for _, most := range []int{2, 4, 7, 12, 20, 35} {
		if tokens > most {
			step++
		}
	}
	f.add("shape", "length", strconv.Itoa(step))
	previous := rune(0)
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			f.add("shape", "digit")
		case unicode.IsUpper(r) && previous == ' ':
			f.add("shape", "capital")
		case strings.ContainsRune("\"“”„«»「」『』", r):
			f.add("shape", "quotation")
		}
		previous = r
	}
}

// tokenize returns the words and marks of a folded text. Digits become 0. Each character of
// Chinese, Japanese and Korean is a token.
func tokenize(text string) (tokens []string) {
	start := -1 // of the word
	endWord := func(end int) {
		if start >= 0 {
			tokens = append(tokens, strings.Map(zero, text[start:end]))
		}
		start = -1
	}
	for i, r := range text {
		isLetter := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		if isLetter && !lang.IsEastAsian(r) || r == '\'' && start >= 0 {
			if start < 0 {
				start = i
			}
			continue
		}
		if endWord(i); !unicode.IsSpace(r) {
			tokens = append(tokens, string(r))
		}
	}
	endWord(len(text))
	return tokens
}

func zero(r rune) rune {
	if unicode.IsDigit(r) {
		return '0'
	}
	return r
}
