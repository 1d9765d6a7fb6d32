package static

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unknown is the token of a word that no pieces make up.
const unknown = "[UNK]"

// longestWord is how many characters a word may have to be looked up at all, as
// BERT's tokeniser has it.
const longestWord = 100

// tokens are the ids of a text: BERT's uncased WordPiece, without the markers
// for beginning and end. At most t.most of them.
func (t *table) tokens(text string) []int32 {
	var ids []int32
	word := func(w string) bool {
		ids = t.pieces(ids, w)
		return len(ids) < t.most
	}
	eachWord(fold(text), word)
	return ids[:min(len(ids), t.most)]
}

// fold makes a text what the vocabulary is written in: no control characters,
// no accents, lower case, CJK ideographs apart.
func fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == 0 || r == utf8.RuneError:
		case r == '\t' || r == '\n' || r == '\r' || unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case !unicode.IsGraphic(r) && !unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r):
			// C*: control, format, surrogate, private use, unassigned
		case ideograph(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	var out strings.Builder
	out.Grow(b.Len())
	for _, r := range norm.NFD.String(b.String()) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return strings.ToLower(out.String())
}

// eachWord splits at white space; every punctuation character is a word of its
// own. It stops when do says so.
func eachWord(text string, do func(string) bool) {
	start := 0
	for i, r := range text {
		space, mark := unicode.IsSpace(r), punctuation(r)
		if !space && !mark {
			continue
		}
		if start < i && !do(text[start:i]) {
			return
		}
		start = i + utf8.RuneLen(r)
		if mark && !do(text[i:start]) {
			return
		}
	}
	if start < len(text) {
		do(text[start:])
	}
}

// pieces appends the ids of the longest pieces that make up a word, from the
// left; pieces after the first are looked up behind "##". A word that they do
// not make up is one unknown.
func (t *table) pieces(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > longestWord {
		return append(ids, t.ids[unknown])
	}
	before := len(ids)
	for at := 0; at < len(word); {
		id, end, ok := t.longest(word, at)
		if !ok {
			return append(ids[:before], t.ids[unknown])
		}
		ids = append(ids, id)
		at = end
	}
	return ids
}

func (t *table) longest(word string, at int) (id int32, end int, ok bool) {
	for end = len(word); end > at; {
		piece := word[at:end]
		if at > 0 {
			piece = "##" + piece
		}
		if id, ok = t.ids[piece]; ok {
			return id, end, true
		}
		_, size := utf8.DecodeLastRuneInString(word[at:end])
		end -= size
	}
	return 0, 0, false
}

// punctuation is ASCII's marks, some of which Unicode calls symbols, and
// Unicode's.
func punctuation(r rune) bool {
	switch {
	case r >= 33 && r <= 47, r >= 58 && r <= 64, r >= 91 && r <= 96, r >= 123 && r <= 126:
		return true
	}
	return unicode.IsPunct(r)
}

func ideograph(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF, r >= 0x20000 && r <= 0x2A6DF,
		r >= 0x2A700 && r <= 0x2B73F, r >= 0x2B740 && r <= 0x2B81F, r >= 0x2B820 && r <= 0x2CEAF,
		r >= 0xF900 && r <= 0xFAFF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}
