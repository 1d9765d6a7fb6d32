package chunker

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxQuoteWords is the number of words in a quote. It is enough to recognise
	// the memory in a diff, and to find it again in a new database.
	maxQuoteWords = 8
	// maxQuoteChars limits a quote of long words, or of a script without spaces.
	maxQuoteChars = 80
)

// QuoteFits reports whether a quote is how a text begins.
func QuoteFits(quote, text string) bool {
	return strings.HasPrefix(NormalizeQuote(QuoteOf(text)), NormalizeQuote(quote))
}

// NormalizeQuote removes case, extra white space and final dots, because people type quotes
// by hand.
func NormalizeQuote(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}

// QuoteOf returns the beginning of a memory's text for its entry: at most eight words and 80
// characters, on one line, white space folded. A table is quoted without the names of
// its columns, which many tables share.
func QuoteOf(text string) string {
	text = WithoutColumnNames(text)
	var b strings.Builder
	n := 0
	for word := range strings.FieldsSeq(strings.ToValidUTF8(text, string(utf8.RuneError))) {
		if n == maxQuoteWords {
			break
		}
		if n++; n > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > maxQuoteChars*utf8.UTFMax {
			break
		}
	}
	if r := []rune(b.String()); len(r) > maxQuoteChars {
		return strings.TrimSpace(string(r[:maxQuoteChars]))
	}
	return b.String()
}
