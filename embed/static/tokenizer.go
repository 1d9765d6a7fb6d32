package static

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenizer splits texts into tokens. It keeps its buffers between texts.
type tokenizer struct {
	*vocabulary
	ids        []int32
	word       []byte // lower case, without accents
	wordChars  int    // characters of word; beyond maxWordChars they are only counted
	cleaned    []byte // the field without characters that belong to no word
	decomposed []byte // cleaned, with accents as characters of their own

	decompose norm.Iter
}

func newTokenizer(v *vocabulary) *tokenizer {
	// Enough for a query of usual length and the longest word of ASCII letters. The
	// buffers grow for longer ones.
	return &tokenizer{vocabulary: v, ids: make([]int32, 0, 64), word: make([]byte, 0, maxWordChars)}
}

// tokens returns the ids of a text's tokens, up to maxTokens. They are valid until the
// next call.
func (c *tokenizer) tokens(text string) []int32 {
	c.ids = c.ids[:0]
	for text != "" && len(c.ids) < c.maxTokens {
		field, ascii, size := nextField(text)
		if ascii {
			c.addASCII(field)
		} else {
			c.addUnicode(field)
		}
		text = text[size:]
	}
	return c.ids[:min(len(c.ids), c.maxTokens)]
}

// nextField returns the text before the first white space, and the size of both. The
// fields of a text are tokenised independently of each other.
func nextField(text string) (field string, ascii bool, size int) {
	ascii = true
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if b == ' ' || b == '\t' || b == '\n' || b == '\r' {
				return text[:i], ascii, i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if isSpace(r) {
			return text[:i], ascii, i + n
		}
		ascii = false
		i += n
	}
	return text, ascii, len(text)
}

// addASCII tokenises a field of ASCII. Most English text is ASCII, and this takes a
// tenth of the time of addUnicode.
func (c *tokenizer) addASCII(field string) {
	for i := 0; i < len(field) && len(c.ids) < c.maxTokens; i++ {
		switch b := field[i]; {
		case b < ' ' || b == 0x7f: // a control character
		case isASCIIPunct(rune(b)):
			c.endWord()
			c.addPunctuation(rune(b))
		default:
			if b >= 'A' && b <= 'Z' {
				b += 'a' - 'A'
			}
			c.addLetter(rune(b))
		}
	}
	c.endWord()
}

// addUnicode tokenises a field of any characters.
func (c *tokenizer) addUnicode(field string) {
	c.cleaned = c.cleaned[:0]
	for _, r := range field {
		switch {
		case isDropped(r):
		case isIdeograph(r):
			c.cleaned = append(utf8.AppendRune(append(c.cleaned, ' '), r), ' ')
		default:
			c.cleaned = utf8.AppendRune(c.cleaned, r)
		}
	}
	c.decomposed = c.decomposed[:0]
	for c.decompose.Init(norm.NFD, c.cleaned); !c.decompose.Done(); {
		c.decomposed = append(c.decomposed, c.decompose.Next()...)
	}
	for i := 0; i < len(c.decomposed) && len(c.ids) < c.maxTokens; {
		r, n := utf8.DecodeRune(c.decomposed[i:])
		switch {
		case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r): // an accent
		case r == ' ':
			c.endWord()
		case isPunct(r):
			c.endWord()
			c.addPunctuation(r)
		default:
			c.addLetter(unicode.ToLower(r))
		}
		i += n
	}
	c.endWord()
}

func (c *tokenizer) addLetter(r rune) {
	if c.wordChars++; c.wordChars <= maxWordChars {
		c.word = utf8.AppendRune(c.word, r)
	}
}

// addPunctuation adds r as a word of its own.
func (c *tokenizer) addPunctuation(r rune) {
	c.addLetter(r)
	c.endWord()
}

// endWord looks up the collected word, if there is one.
func (c *tokenizer) endWord() {
	if c.wordChars == 0 {
		return
	}
	c.ids = c.appendPieces(c.ids, c.word, c.wordChars)
	c.word, c.wordChars = c.word[:0], 0
}

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
