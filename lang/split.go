package lang

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsAlnum reports whether a character is part of a word in any script.
func IsAlnum(r rune) bool {
	if r < utf8.RuneSelf { // most characters, without a table
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// IsOrdinal recognises 1st, 2nd, 23rd, 5th.
func IsOrdinal(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return rest != s && strings.Contains("st nd rd th", strings.ToLower(rest)) && len(rest) == 2
}

// Ordinal returns 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	suffix := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// FirstRune returns the first character of a text.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// SplitWords returns the words of a text that is in lower case, without the possessive.
func SplitWords(lower string) []string { return AppendWords(nil, lower) }

// AppendWords appends what SplitWords returns.
func AppendWords(words []string, lower string) []string {
	for start := 0; start < len(lower); {
		end, ascii := start, true
		for end < len(lower) && !separates[lower[end]] {
			ascii = ascii && lower[end] < utf8.RuneSelf
			end++
		}
		switch {
		case !ascii:
			words = append(words, splitUnicode(lower[start:end])...)
		case end > start:
			words = append(words, strings.TrimSuffix(strings.TrimSuffix(lower[start:end], "'s"), "'"))
		}
		start = end + 1
	}
	return words
}

// separates tells which bytes are characters of ASCII that are part of no word.
var separates = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = !IsAlnum(rune(c)) && c != '\''
	}
	return is
}()

func splitUnicode(lower string) []string {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !IsAlnum(r) && r != '\'' && r != '’' })
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s"), "'")
	}
	return words
}

// AnyWord reports whether any word of a text, in lower case, matches. A word ends where a CJK
// script begins or ends.
func AnyWord(text string, matches func(string) bool) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !IsAlnum(r) && r != '_' }) {
		for w != "" {
			isCJK := ScriptOf(FirstRune(w)) != NoCJK
			end := strings.IndexFunc(w, func(r rune) bool { return (ScriptOf(r) != NoCJK) != isCJK })
			if end < 0 {
				end = len(w)
			}
			if matches(w[:end]) {
				return true
			}
			w = w[end:]
		}
	}
	return false
}

// AllDigits reports whether a word has no character but the digits 0 to 9.
func AllDigits(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// FoldedWords returns the words of a text in lower case, without the s of a plural.
func FoldedWords(text string) []string {
	words := SplitWords(strings.ToLower(text))
	for i, w := range words {
		words[i] = FoldPlural(w)
	}
	return words
}

// FoldPlural returns a word without the s of an English plural.
func FoldPlural(w string) string {
	const shortest = 5 // characters: bus and gas are no plurals
	if utf8.RuneCountInString(w) < shortest || strings.HasSuffix(w, "ss") {
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// Script is a group of CJK scripts.
type Script uint8

// The scripts that do not separate their words, and NoCJK for all others.
const (
	NoCJK Script = iota
	HanOrKatakana
	Hiragana
	Hangul
)

// ScriptOf returns the CJK script of a character. Hiragana is separate, because in
// Japanese it writes the grammar, and Han and Katakana write the words.
func ScriptOf(r rune) Script {
	switch {
	case r < 0x1100:
		return NoCJK
	case unicode.Is(unicode.Han, r), unicode.Is(unicode.Katakana, r), r == 'ー':
		return HanOrKatakana
	case unicode.Is(unicode.Hiragana, r):
		return Hiragana
	case unicode.Is(unicode.Hangul, r):
		return Hangul
	}
	return NoCJK
}
