package language

import "unicode"

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
