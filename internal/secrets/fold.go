package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as the rules see it. Full-width letters and other compatible forms
// are plain characters (NFKC), and invisible characters are left out.
type folded struct {
	text     string
	from, to []int // for each byte of text, its character in the original; nil: text is the original
}

// fold prepares a text for the rules.
func fold(text string) folded {
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return folded{text: text}
	}
	f := folded{from: make([]int, 0, len(text)), to: make([]int, 0, len(text))}
	var b strings.Builder
	var segments norm.Iter
	segments.InitString(norm.NFKC, text)
	for !segments.Done() {
		start := segments.Pos()
		segment := segments.Next()
		for _, r := range string(segment) {
			if isInvisible(r) {
				continue
			}
			b.WriteRune(r)
			for len(f.from) < b.Len() {
				f.from, f.to = append(f.from, start), append(f.to, segments.Pos())
			}
		}
	}
	f.text = b.String()
	return f
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
