package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folded is a text as phrases see it: in small letters, each word and each punctuation
// mark between single spaces. A CJK text keeps its spacing.
type Folded struct {
	Text string
	CJK  bool
	End  int   // length of the original
	at   []int // for each byte of Text, the offset in the original
}

// Hidden replaces each byte of a part of a text, such as a quotation. So no phrase finds its
// words, and offsets stay.
const Hidden = '\x01'

var quoteMarks = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"，", ",", "：", ":", "；", ";", "？", "?", "！", "!", "（", "(", "）", ")", "　", " ")

// normalize unifies case, quotes and full-width punctuation.
func normalize(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r == '`' || r >= utf8.RuneSelf }) { // few words
		s = quoteMarks.Replace(s)
	}
	return strings.ToLower(s)
}

// Fold prepares a text for phrases.
func Fold(s string) Folded { return FoldAs(s, HasCJK(s)) }

// FoldAs prepares a text for the phrases of one kind of script.
func FoldAs(s string, cjk bool) Folded {
	f := Folded{CJK: cjk, End: len(s), at: make([]int, 0, 1+2*len(s))} // spaces around each mark
	var b strings.Builder
	b.Grow(cap(f.at))
	add := func(text string, at int) {
		b.WriteString(text)
		for range len(text) {
			f.at = append(f.at, at)
		}
	}
	if f.CJK {
		for i, r := range s {
			add(normalize(string(r)), i)
		}
		f.Text = b.String()
		return f
	}
	add(" ", 0)
	for start, end := range words(s) {
		add(normalize(s[start:end]), start)
		add(" ", end)
	}
	f.Text = b.String()
	return f
}

// Original returns the offset in the original of an offset in the folded text.
func (f Folded) Original(at int) int {
	if at >= len(f.at) {
		return f.End
	}
	return f.at[at]
}

// From returns the folded text from an offset in it.
func (f Folded) From(at int) Folded {
	return Folded{Text: f.Text[at:], CJK: f.CJK, End: f.End, at: f.at[min(at, len(f.at)):]}
}

// Without returns the folded text without its bytes between two offsets.
func (f Folded) Without(from, to int) Folded {
	return Folded{Text: f.Text[:from] + f.Text[to:], CJK: f.CJK, End: f.End, at: slices.Concat(f.at[:from], f.at[to:])}
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
			if isMark(r) || r == Hidden {
				if !yield(i, i+size) {
					return
				}
				i += size
				continue
			}
			word := s[i:]
			if end := strings.IndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == Hidden }); end >= 0 {
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

// HasCJK reports whether a text is written in Chinese or Japanese: a tenth of its
// letters, or more, are.
func HasCJK(s string) bool {
	cjk, letters := 0, 0
	for _, r := range s {
		if IsCJK(r) {
			cjk++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return cjk > 0 && 10*cjk >= letters
}

// IsCJK reports whether a character belongs to Chinese or Japanese, whose words have no blanks
// between them.
func IsCJK(r rune) bool {
	const first = '\u2e80' // of the radicals; 々 and 〇 come soon behind them
	return r >= first && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana))
}

// IsEastAsian reports whether a character belongs to Chinese, Japanese or Korean, in which it
// counts alone.
func IsEastAsian(r rune) bool {
	const first = '\u1100' // of the Hangul letters
	return r >= first && (IsCJK(r) || unicode.Is(unicode.Hangul, r))
}

// SameStem reports whether two words are equal but for short endings.
func SameStem(a, b string) bool {
	const shortest, ending = 4, 3 // characters
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n-- // inside a character
	}
	return a == b || utf8.RuneCountInString(a[:n]) >= shortest && utf8.RuneCountInString(a[n:]) <= ending && utf8.RuneCountInString(b[n:]) <= ending
}
