package frontmatter

import (
	"strings"
	"unicode/utf8"
)

const (
	// quoteWords is the number of words in a quote. It is enough to recognise
	// the memory in a diff, and to find it again in a new database.
	quoteWords = 8
	// quoteChars limits a quote of long words, or of a script without spaces.
	quoteChars = 80
)

// Quote returns the beginning of a memory's text for its entry: at most eight
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
