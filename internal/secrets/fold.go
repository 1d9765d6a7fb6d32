package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as the tables see it. Full-width letters and other compatible forms
// are plain characters (NFKC), and invisible characters are left out.
type folded struct {
	text     string
	low      string // text in small letters, with blanks for - and _; as long as text
	from, to []int  // for each byte of text, its character in the original; nil: text is the original
}

func fold(text string) folded {
	f := folded{text: text}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		f.unify(text)
	}
	f.low = strings.Map(lower, f.text)
	return f
}

// unify replaces characters that look like others, and records where they were.
func (f *folded) unify(text string) {
	var b strings.Builder
	f.from, f.to = make([]int, 0, len(text)), make([]int, 0, len(text))
	var segments norm.Iter
	segments.InitString(norm.NFKC, text)
	for !segments.Done() {
		start := segments.Pos()
		segment := segments.Next()
		for _, r := range string(segment) {
			switch {
			case isInvisible(r):
				continue
			case r == '’':
				r = '\''
			}
			b.WriteRune(r)
			for len(f.from) < b.Len() {
				f.from, f.to = append(f.from, start), append(f.to, segments.Pos())
			}
		}
	}
	f.text = b.String()
}

// lower returns the small letter of a character, if it takes as many bytes.
func lower(r rune) rune {
	switch small := unicode.ToLower(r); {
	case r == '-' || r == '_':
		return ' '
	case utf8.RuneLen(small) == utf8.RuneLen(r):
		return small
	}
	return r
}

// original returns the place in the original text of a place in the folded one.
func (f folded) original(s span) span {
	if f.from == nil || s.to <= s.from {
		return s
	}
	return span{f.from[s.from], f.to[s.to-1]}
}

// isInvisible reports whether r leaves no mark: zero-width and direction characters,
// soft hyphens, tags and variation selectors.
func isInvisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u034f'
}
