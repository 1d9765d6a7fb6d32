package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded is a sentence as patterns see it: in small letters, each word and each
// punctuation mark between single spaces. A CJK sentence keeps its spacing.
type folded struct {
	text string
	cjk  bool
	at   []int // for each byte of text, the offset in the original
	end  int   // length of the original
}

// hidden replaces each byte of a quotation, so that no pattern finds its words and
// offsets stay.
const hidden = '\x01'

var quoteMarks = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"，", ",", "：", ":", "；", ";", "？", "?", "！", "!", "（", "(", "）", ")", "　", " ")

// normalize unifies case, quotes and full-width punctuation.
func normalize(s string) string { return strings.ToLower(quoteMarks.Replace(s)) }

// fold prepares a sentence for patterns.
func fold(s string) folded { return foldAs(s, hasCJK(s)) }

// foldAs prepares a sentence for the patterns of one kind of script.
func foldAs(s string, cjk bool) folded {
	f := folded{cjk: cjk, end: len(s)}
	var b strings.Builder
	add := func(text string, at int) {
		b.WriteString(text)
		for range len(text) {
			f.at = append(f.at, at)
		}
	}
	if f.cjk {
		for i, r := range s {
			add(normalize(string(r)), i)
		}
		f.text = b.String()
		return f
	}
	add(" ", 0)
	for start, end := range words(s) {
		add(normalize(s[start:end]), start)
		add(" ", end)
	}
	f.text = b.String()
	return f
}

// original returns the offset in the original of an offset in the folded text.
func (f folded) original(at int) int {
	if at >= len(f.at) {
		return f.end
	}
	return f.at[at]
}

// words yields the byte spans of the words of s and of the punctuation marks
// around them. Marks inside a word belong to it, as in "v1.4.2" or "don't".
func words(s string) func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if unicode.IsSpace(r) {
				i += size
				continue
			}
			if isMark(r) || r == hidden {
				if !yield(i, i+size) {
					return
				}
				i += size
				continue
			}
			word := s[i:]
			if end := strings.IndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == hidden }); end >= 0 {
				word = word[:end]
			}
			word = strings.TrimRightFunc(word, isMark)
			if !yield(i, i+len(word)) {
				return
			}
			i += len(word)
		}
	}
}

// isMark reports whether r is punctuation that may surround a word.
func isMark(r rune) bool {
	return slices.Contains([]rune(`.,;:!?…"()[]{}*_“”„«»¿¡—–`), r)
}

// hasCJK reports whether a text is written in Chinese or Japanese: a tenth of its
// letters, or more, are.
func hasCJK(s string) bool {
	cjk, letters := 0, 0
	for _, r := range s {
		if isCJK(r) {
			cjk++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return cjk > 0 && 10*cjk >= letters
}

func isCJK(r rune) bool {
	return r >= 0x3040 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana))
}
