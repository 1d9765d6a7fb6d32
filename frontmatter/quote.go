package frontmatter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// quoteWords is how many words of a memory stand in front matter: enough for
	// a person to know it in a diff, and to find it again in a fresh database.
	quoteWords = 8
	// quoteChars bounds a quote where words are long or not set apart at all.
	quoteChars = 80
)

// Quote is the beginning of a memory's text as a line holds it: at most eight
// words and 80 characters, on one line, white space folded.
func Quote(text string) string {
	var b strings.Builder
	n := 0
	for word := range strings.FieldsSeq(strings.ToValidUTF8(text, string(utf8.RuneError))) {
		if n == quoteWords {
			break
		}
		if n++; n > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > quoteChars*utf8.UTFMax {
			break
		}
	}
	if r := []rune(b.String()); len(r) > quoteChars {
		return strings.TrimSpace(string(r[:quoteChars]))
	}
	return b.String()
}

// quoteYAML is a text between double quotes, as YAML reads it back whatever it
// holds.
func quoteYAML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80 && unicode.IsPrint(r), r >= 0xa0 && unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
