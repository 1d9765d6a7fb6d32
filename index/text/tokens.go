// Package text analyses texts and questions as the keyword index does. It cuts
// texts into the tokens of FTS5's tokenizer "porter unicode61", so that counts in
// memory equal those of SQLite. It adds what FTS5 lacks: parts of words that FTS5
// keeps whole, and corrections of typing errors. It keeps no state.
package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokens cuts a text into tokens: runs of letters and numbers of any script, in
// lower case, without the accents of Latin letters, and stemmed. The result differs
// from FTS5's only for characters that Unicode defined after version 6.1, which FTS5
// does not know.
func Tokens(text string) (tokens []string) {
	for word := range Words(text) {
		if token := Token(word); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// Token folds and stems a word of [Words]. A word of accents alone has no token.
func Token(word string) string {
	if folded := fold(word); folded != "" {
		return stem(folded)
	}
	return ""
}

// Words yields the words of a text as they are written, one for each token.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i < len(text); {
			inWord, size := asciiTokenBytes[text[i]], 1
			if text[i] >= utf8.RuneSelf {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				inWord = isTokenRune(r)
			}
			switch {
			case inWord && start < 0:
				start = i
			case !inWord && start >= 0:
				if !yield(text[start:i]) {
					return
				}
				start = -1
			}
			i += size
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// asciiTokenBytes is isTokenRune for each ASCII character.
var asciiTokenBytes = func() (in [256]bool) {
	for r := range rune(utf8.RuneSelf) {
		in[r] = isTokenRune(r)
	}
	return in
}()

// isTokenRune reports whether a character belongs to a token: letters, numbers,
// private use, and the combining accents that fold removes.
func isTokenRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || isAccent(r)
}

// accents are the combining characters that FTS5 removes. Others end a token.
var accents = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x300, Hi: 0x304, Stride: 1}, {Lo: 0x306, Hi: 0x30c, Stride: 1},
	{Lo: 0x30f, Hi: 0x311, Stride: 2}, {Lo: 0x31b, Hi: 0x31b, Stride: 1}, {Lo: 0x323, Hi: 0x328, Stride: 1},
	{Lo: 0x32d, Hi: 0x32e, Stride: 1}, {Lo: 0x330, Hi: 0x331, Stride: 1}}}

func isAccent(r rune) bool { return r >= 0x300 && r <= 0x331 && unicode.Is(accents, r) }

// fold returns a word in lower case, without accents.
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
			b.WriteRune(removeAccent(lower(r)))
		}
	}
	return b.String()
}

// lower folds a character as a comparison without case does: final and ordinary
// sigma become one. The dotless i stays, because it is a letter of its own.
func lower(r rune) rune {
	if r == 'ı' {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(unicode.ToLower(r)))
}

// removeAccent returns a Latin letter with one accent without it, and any other
// character unchanged.
func removeAccent(r rune) rune {
	if r < 0xc0 {
		return r
	}
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 2 && parts[0] < utf8.RuneSelf && parts[1] >= 0x300 && parts[1] <= 0x36f {
		return parts[0]
	}
	return r
}
