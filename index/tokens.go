package index

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokens cuts a text as the keyword index does: runs of letters and numbers of
// any script, folded to lower case and without the accents of Latin letters,
// then stemmed. A test holds it against FTS5 itself; they differ on characters
// that Unicode has defined since its version 6.1 only, which FTS5 stopped at.
func tokens(text string) (out []string) {
	for word := range splitWords(text) {
		if t := fold(word); t != "" {
			out = append(out, stem(t))
		}
	}
	return out
}

// splitWords gives the tokens of a text as they are written.
func splitWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := -1
		for i := 0; i < len(text); {
			in, size := tokenBytes[text[i]], 1
			if text[i] >= utf8.RuneSelf {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				in = isTokenRune(r)
			}
			switch {
			case in && from < 0:
				from = i
			case !in && from >= 0:
				if !yield(text[from:i]) {
					return
				}
				from = -1
			}
			i += size
		}
		if from >= 0 {
			yield(text[from:])
		}
	}
}

// tokenBytes says which bytes stand in a token by themselves.
var tokenBytes = func() (in [256]bool) {
	for r := range rune(utf8.RuneSelf) {
		in[r] = isTokenRune(r)
	}
	return in
}()

// isTokenRune says what stands in a token: letters, numbers, private use, and the
// combining accents that fold takes away again.
func isTokenRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || isAccent(r)
}

// accents are the combining characters that FTS5 takes away; it cuts at others.
var accents = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x300, Hi: 0x304, Stride: 1}, {Lo: 0x306, Hi: 0x30c, Stride: 1},
	{Lo: 0x30f, Hi: 0x311, Stride: 2}, {Lo: 0x31b, Hi: 0x31b, Stride: 1}, {Lo: 0x323, Hi: 0x328, Stride: 1},
	{Lo: 0x32d, Hi: 0x32e, Stride: 1}, {Lo: 0x330, Hi: 0x331, Stride: 1}}}

func isAccent(r rune) bool { return r >= 0x300 && r <= 0x331 && unicode.Is(accents, r) }

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
			b.WriteRune(withoutAccent(lower(r)))
		}
	}
	return b.String()
}

// lower folds as comparing without case does: final and ordinary sigma are one.
// The dotless i stays, as it is a letter of its own.
func lower(r rune) rune {
	if r == 'ı' {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(unicode.ToLower(r)))
}

// withoutAccent gives a Latin letter that wears one accent without it.
func withoutAccent(r rune) rune {
	if r < 0xc0 {
		return r
	}
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 2 && parts[0] < utf8.RuneSelf && parts[1] >= 0x300 && parts[1] <= 0x36f {
		return parts[0]
	}
	return r
}
