package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokens cuts a text as the keyword index does: runs of letters and numbers of
// any script, folded to lower case and without the accents of Latin letters,
// then stemmed. A test holds it against FTS5 itself.
func tokens(text string) (out []string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isToken(r) }) {
		if t := fold(word); t != "" {
			out = append(out, stem(t))
		}
	}
	return out
}

// isToken says what stands in a token: letters, numbers, private use, and the
// combining accents that fold takes away again.
func isToken(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || isAccent(r)
}

func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

func fold(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(word)
	}
	var b strings.Builder
	for _, r := range word {
		if !isAccent(r) {
			b.WriteRune(withoutAccent(unicode.ToLower(r)))
		}
	}
	return b.String()
}

// withoutAccent gives a Latin letter that wears one accent without it.
func withoutAccent(r rune) rune {
	if r < 0xc0 {
		return r
	}
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 2 && parts[0] < utf8.RuneSelf && isAccent(parts[1]) {
		return parts[0]
	}
	return r
}
