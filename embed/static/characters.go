package static

import (
	"unicode"
	"unicode/utf8"
)

// isSpace reports whether r is white space: Unicode's categories Z, tab, newline and
// carriage return. Other control characters are dropped before the text is split.
func isSpace(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
}

// isDropped reports whether r belongs to no word: control and format characters,
// surrogates, private use, unassigned characters, and the replacement character.
func isDropped(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }

// isASCIIPunct reports whether r is ASCII but no letter, digit or blank. Unicode
// classifies some of these characters as symbols.
func isASCIIPunct(r rune) bool {
	return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
}

// isPunct reports whether r is a word of its own.
func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIPunct(r)
	}
	return unicode.IsPunct(r)
}

// ideographs are the blocks of Chinese characters, each of which is a word. Kana and
// Hangul are ordinary letters.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1}},
}

func isIdeograph(r rune) bool { return r >= 0x3400 && unicode.Is(ideographs, r) }
