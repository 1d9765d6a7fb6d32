// Package wording reduces a Markdown text to its letters and digits. So copies that
// differ only in case, punctuation or markup are the same text.
package wording

import (
	"crypto/sha256"
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// Wording identifies what a text says, without how it is written. The zero value is
// the wording of a text without letters and digits, which is equal to no other.
type Wording struct {
	Hash  [32]byte
	Words int // runs of letters and digits, as [CountWords] counts them
}

// IsEmpty reports whether the text has no letters and digits.
func (w Wording) IsEmpty() bool { return w.Words == 0 }

// Key returns a short key of the wording, to look it up in a table. The key of an
// empty wording is 0, and no other wording has that key.
func (w Wording) Key() int64 {
	if w.IsEmpty() {
		return 0
	}
	return max(1, int64(binary.BigEndian.Uint64(w.Hash[:8])>>1))
}

// Of returns the wording of a text. It ignores case, white space, punctuation,
// invisible characters, list markers, check boxes, markup, and the targets of links. It also
// ignores the letter or number of an item, the type of a callout, and an anchor.
// Case is that of all scripts ([withoutCase]). Escapes and entities count as their
// characters. Characters of other widths and styles are the same (Unicode NFKC). Two
// numbers stay apart if something is between them: 1.5 is not 15, and 1.5 is 1,5. Only the
// blanks between groups of three digits go: 1 000 is 1000.
func Of(text string) Wording {
	r := reduce(joinGroups(withoutMarkup(text)))
	return r.wording()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// reducer collects the letters and digits of a text.
type reducer struct {
	out       []byte
	words     int
	apart     bool // a visible character was left out since the last letter
	lastDigit bool // the last letter is a digit
}

// reduce reads a text without markup.
func reduce(plain string) reducer {
	r := reducer{out: make([]byte, 0, len(plain))}
	if isASCII(plain) {
		for i := range len(plain) {
			r.addASCII(plain[i])
		}
		return r
	}
	for _, c := range withoutCase(plain) {
		r.add(c)
	}
	return r
}

func (r *reducer) wording() Wording {
	if r.words == 0 {
		return Wording{}
	}
	return Wording{Hash: sha256.Sum256(r.out), Words: r.words}
}

func (r *reducer) addASCII(c byte) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		r.write(rune(c), c <= '9')
	case 'A' <= c && c <= 'Z':
		r.write(rune(c)+'a'-'A', false)
	case !isEmphasis(c):
		r.apart = true
	}
}

func (r *reducer) add(c rune) {
	switch {
	case c < utf8.RuneSelf:
		r.addASCII(byte(c))
	case isInvisible(c):
	case unicode.In(c, unicode.L, unicode.M, unicode.N):
		r.write(fold(c), unicode.IsNumber(c))
	default:
		r.apart = true
	}
}

func (r *reducer) write(c rune, isDigit bool) {
	isFirst := r.words == 0 || r.apart
	if isFirst && isDigit && r.lastDigit {
		r.out = append(r.out, ' ')
	}
	if isFirst || isUnspaced(c) {
		r.words++
	}
	r.apart, r.lastDigit = false, isDigit
	r.out = utf8.AppendRune(r.out, c)
}

// isEmphasis reports whether a character may mark words as bold, italic, struck out or
// code. Such marks may stand inside a word.
func isEmphasis(c byte) bool { return c == '*' || c == '_' || c == '~' || c == '`' }

// isInvisible reports whether a character has no width: a zero-width space, a soft
// hyphen, a variation selector.
func isInvisible(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
