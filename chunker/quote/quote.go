// Package quote makes the short text by which a line of front matter, or a list, names a
// memory: the beginning of its text. It also says which quotes fit a text.
package quote

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/chunker"
)

const (
	// maxWords is the number of words in a quote. It is enough to recognise
	// the memory in a diff, and to find it again in a new database.
	maxWords = 8
	// maxChars limits a quote of long words, or of a script without spaces.
	maxChars = 80
)

// Fits reports whether a quote is how a text begins.
func Fits(quote, text string) bool {
	return strings.HasPrefix(Normalize(Of(text)), Normalize(quote))
}

// Normalize removes case, extra white space and final dots, because people type quotes
// by hand.
func Normalize(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}

// Of returns the beginning of a memory's text for its entry: at most eight words and 80
// characters, on one line, white space folded. A table is quoted without the names of
// its columns, which many tables share.
func Of(text string) string {
	text = chunker.WithoutColumnNames(text)
	var b strings.Builder
	n := 0
	for word := range strings.FieldsSeq(strings.ToValidUTF8(text, string(utf8.RuneError))) {
		if n == maxWords {
			break
		}
		if n++; n > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > maxChars*utf8.UTFMax {
			break
		}
	}
	if r := []rune(b.String()); len(r) > maxChars {
		return strings.TrimSpace(string(r[:maxChars]))
	}
	return b.String()
}
