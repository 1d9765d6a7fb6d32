package language

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Clean returns the visible characters of a text in NFC, on one line.
func Clean(text string) string {
	if IsClean(text) {
		return text
	}
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(strings.Map(VisibleRune, text)), " ")
}

// widthForms matches words in full-width and half-width forms. Punctuation inside a word
// belongs to it: ＨＹＤ－３３１２.
var widthForms = lazyregexp.New(`[０-９Ａ-Ｚａ-ｚｦ-ﾟﾡ-ￜ]+(?:[－．＿／＠：][０-９Ａ-Ｚａ-ｚ]+)*`)

// UsualWidth returns a text with the usual letters, digits and kana in place of
// full-width and half-width forms.
func UsualWidth(text string) string {
	const first, last = '\uff10', '\uffdc'
	if !strings.ContainsFunc(text, func(r rune) bool { return first <= r && r <= last }) {
		return text
	}
	return widthForms.ReplaceAllStringFunc(text, norm.NFKC.String)
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
