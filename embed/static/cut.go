package static

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cutter cuts texts into tokens, one after the other, and keeps its buffers
// between them.
type cutter struct {
	*vocabulary
	ids    []int32
	word   []byte // lower case, without accents
	length int    // characters of word; beyond longestWord they are only counted
	clean  []byte
	apart  []byte // clean, with accents taken apart

	decompose norm.Iter
}

func newCutter(v *vocabulary) *cutter {
	// Room for a question of usual length and the longest word of one byte a
	// letter; longer ones grow it.
	return &cutter{vocabulary: v, ids: make([]int32, 0, 64), word: make([]byte, 0, longestWord)}
}

// tokens are the ids of a text, at most as many as the model looks at. They are
// good until the next call.
func (c *cutter) tokens(text string) []int32 {
	c.ids = c.ids[:0]
	for text != "" && len(c.ids) < c.most {
		field, ascii, size := nextField(text)
		if ascii {
			c.plain(field)
		} else {
			c.fold(field)
		}
		text = text[size:]
	}
	return c.ids[:min(len(c.ids), c.most)]
}

// nextField is what stands before the first white space of a text, and how many
// bytes it and that take. Nothing in a field changes what another is cut into.
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
		if space(r) {
			return text[:i], ascii, i + n
		}
		ascii = false
		i += n
	}
	return text, ascii, len(text)
}

// plain cuts a field of ASCII: most of English, at a tenth of the cost.
func (c *cutter) plain(field string) {
	for i := 0; i < len(field) && len(c.ids) < c.most; i++ {
		switch b := field[i]; {
		case b < ' ' || b == 0x7f: // a control character
		case asciiMark(rune(b)):
			c.end()
			c.mark(rune(b))
		default:
			if b >= 'A' && b <= 'Z' {
				b += 'a' - 'A'
			}
			c.letter(rune(b))
		}
	}
	c.end()
}

// fold cuts a field of any characters.
func (c *cutter) fold(field string) {
	c.clean = c.clean[:0]
	for _, r := range field {
		switch {
		case dropped(r):
		case ideograph(r):
			c.clean = append(utf8.AppendRune(append(c.clean, ' '), r), ' ')
		default:
			c.clean = utf8.AppendRune(c.clean, r)
		}
	}
	c.apart = c.apart[:0]
	for c.decompose.Init(norm.NFD, c.clean); !c.decompose.Done(); {
		c.apart = append(c.apart, c.decompose.Next()...)
	}
	for i := 0; i < len(c.apart) && len(c.ids) < c.most; {
		r, n := utf8.DecodeRune(c.apart[i:])
		switch {
		case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r): // an accent
		case r == ' ':
			c.end()
		case mark(r):
			c.end()
			c.mark(r)
		case r == 'Σ' && finalSigma(c.apart[:i], c.apart[i+n:]):
			c.letter('ς')
		default:
			c.letter(unicode.ToLower(r))
		}
		i += n
	}
	c.end()
}

func (c *cutter) letter(r rune) {
	if c.length++; c.length <= longestWord {
		c.word = utf8.AppendRune(c.word, r)
	}
}

// mark is a word of its own.
func (c *cutter) mark(r rune) {
	c.letter(r)
	c.end()
}

// end looks up the word that has been gathered, if there is one.
func (c *cutter) end() {
	if c.length == 0 {
		return
	}
	c.ids = c.pieces(c.ids, c.word, c.length)
	c.word, c.length = c.word[:0], 0
}
