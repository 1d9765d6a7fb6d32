package static

import (
	"unicode"
	"unicode/utf8"
)

// isSpace is Unicode's white space less the control characters, which are dropped
// before a text is split, but for tab, newline and carriage return.
func isSpace(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
}

// isDropped is what no word holds: control and format characters, surrogates,
// private use, what Unicode has not assigned, and what stands for invalid bytes.
func isDropped(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }

// isASCIIPunct is every character of ASCII that is neither letter nor digit nor
// blank: Unicode calls some of them symbols.
func isASCIIPunct(r rune) bool {
	return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
}

// isPunct is a word of its own wherever it stands.
func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIPunct(r)
	}
	return unicode.IsPunct(r)
}

// ideographs are the blocks of Chinese characters that the vocabulary knows one
// by one. Kana and Hangul are letters like others.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1}},
}

func isIdeograph(r rune) bool { return r >= 0x3400 && unicode.Is(ideographs, r) }

// isFinalSigma says that a capital sigma between these ends its word, where Greek
// writes another small letter: a cased letter stands before it and none after
// it, whatever case-ignorable characters lie between.
func isFinalSigma(before, after []byte) bool {
	for len(before) > 0 {
		r, n := utf8.DecodeLastRune(before)
		if !isCaseIgnorable(r) {
			break
		}
		before = before[:len(before)-n]
	}
	for len(after) > 0 {
		r, n := utf8.DecodeRune(after)
		if !isCaseIgnorable(r) {
			break
		}
		after = after[n:]
	}
	last, _ := utf8.DecodeLastRune(before)
	next, _ := utf8.DecodeRune(after)
	return isCased(last) && !isCased(next)
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Uppercase, unicode.Other_Lowercase)
}

// isCaseIgnorable is Unicode's property of that name: what a word's case is seen
// through, as an apostrophe, a full stop or an accent.
func isCaseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '\u00b7', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027',
		'\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Lm, unicode.Sk)
}
