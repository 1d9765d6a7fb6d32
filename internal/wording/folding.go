package wording

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// sameI makes one letter of the Turkish i with and without a dot. Which of them a small or
// capital I is depends on the language, which a text does not tell.
var sameI = strings.NewReplacer("ı", "i", "i\u0307", "i")

// withoutCase returns a text in NFKC without the differences of case that change the number
// of letters: STRASSE is Straße. [fold] does the others.
func withoutCase(text string) string {
	if isASCII(text) {
		return text
	}
	text = withoutKeycaps(text)
	return norm.NFKC.String(sameI.Replace(cases.Fold().String(norm.NFKC.String(text))))
}

// keycap is the character that makes an emoji of the digit before it.
const keycap = "\u20e3"

// withoutKeycaps returns a text without emoji such as 1️⃣.
func withoutKeycaps(text string) string {
	parts := strings.Split(text, keycap)
	for i, part := range parts[:len(parts)-1] {
		part = strings.TrimSuffix(part, "\ufe0f")
		parts[i] = strings.TrimRight(part[max(0, len(part)-1):], "0123456789#*")
		parts[i] = part[:max(0, len(part)-1)] + parts[i]
	}
	return strings.Join(parts, " ")
}

// fold returns the same letter for all cases of a letter.
func fold(c rune) rune {
	lowest := c
	for next := unicode.SimpleFold(c); next != c; next = unicode.SimpleFold(next) {
		lowest = min(lowest, next)
	}
	if 'A' <= lowest && lowest <= 'Z' {
		return lowest + 'a' - 'A'
	}
	return lowest
}

// groups matches a number whose groups of three digits have blanks between them: ordinary,
// no-break or thin ones.
var groups = lazyregexp.New(`\b[0-9]{1,3}(?:[ \x{A0}\x{2007}\x{2009}\x{202F}][0-9]{3})+\b`)

// joinGroups removes the blanks between the groups of digits: 1 000 is 1000.
func joinGroups(text string) string {
	if !mayHaveGroups(text) {
		return text
	}
	return groups().ReplaceAllStringFunc(text, func(number string) string {
		return strings.Map(func(c rune) rune {
			if c < '0' || c > '9' {
				return -1
			}
			return c
		}, number)
	})
}

// mayHaveGroups reports whether a text has a digit before a blank, which is quicker than
// the expression.
func mayHaveGroups(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if isDigit(text[i]) && (text[i+1] == ' ' || text[i+1] >= 0x80) {
			return true
		}
	}
	return false
}
