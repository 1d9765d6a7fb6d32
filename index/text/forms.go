package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isWidthForm reports whether a character is a full-width or half-width form of another
// one, as Japanese keyboards write them: ＡＢＣ, ｻｰﾊﾞｰ.
func isWidthForm(r rune) bool { return r >= 0xff01 && r <= 0xffee }

// usualWidth returns a word with the usual characters in place of full-width and
// half-width forms. ok is false if it has none.
func usualWidth(word string) (usual string, ok bool) {
	if !strings.ContainsFunc(word, isWidthForm) {
		return "", false
	}
	return norm.NFKC.String(word), true
}

// umlauts are the spellings of keyboards without German letters.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ẞ", "SS")

// withoutUmlauts returns a word as people write it without ä, ö, ü and ß: Mueller,
// Hauptstrasse. ok is false if it has none of them.
func withoutUmlauts(word string) (spelled string, ok bool) {
	if isASCII(word) {
		return "", false
	}
	composed := norm.NFC.String(word)
	spelled = umlauts.Replace(composed)
	return spelled, spelled != composed
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isSymbol reports whether a character is an emoji or a pictogram. Skin tones are none:
// they change the one before.
func isSymbol(r rune) bool {
	const firstTone, lastTone = 0x1f3fb, 0x1f3ff
	return (r >= 0x2600 && r <= 0x27bf || r >= 0x1f000 && r < 0x20000) && unicode.Is(unicode.So, r) && (r < firstTone || r > lastTone)
}

// symbolWord returns the word by which an emoji is found: FTS5 has no token for it.
func symbolWord(r rune) string { return "emoji" + strconv.Itoa(int(r)) }

// symbolWords returns the words of the emoji in a text, each once.
func symbolWords(text string) (words []string) {
	if isASCII(text) {
		return nil
	}
	seen := map[rune]bool{}
	for _, r := range text {
		if isSymbol(r) && !seen[r] {
			seen[r] = true
			words = append(words, symbolWord(r))
		}
	}
	return words
}
