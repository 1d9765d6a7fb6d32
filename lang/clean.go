package lang

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean returns the visible characters of a text in NFC, on one line.
func Clean(text string) string {
	if IsClean(text) {
		return text
	}
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(strings.Map(VisibleRune, text)), " ")
}

// IsClean is a quick test for most clean texts: printable ASCII with single spaces.
func IsClean(text string) bool {
	previous := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && previous == ' ' {
			return false
		}
		previous = c
	}
	return previous != ' '
}

// VisibleRune maps invisible characters to none and control characters to a space.
func VisibleRune(r rune) rune {
	switch {
	case unicode.IsControl(r) || r == unicode.ReplacementChar || r == '\u2028' || r == '\u2029':
		return ' '
	case isInvisible(r):
		return -1
	}
	return r
}

// isInvisible reports whether r is a format, tag or variation character, which can
// hide text from a person but not from a model. Joiners are excepted, because emoji
// and some scripts need them.
func isInvisible(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.Is(unicode.Cf, r) || r >= 0xE0000 && r <= 0xE0FFF
}
