package dailynote

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory/recall/dates"
)

// quoteMarks lists the marks of quotations and code. Each of these has two.
const quoteMarks = "\"“”„«»「」『』`"

// withDays returns a text with a date behind each relative day, because its words mean another
// day later: "The dentist is tomorrow (2026-11-24)". The first mention of a day gets the date,
// unless the text names it already. What is in a quotation or in code gets none.
func withDays(text string, at time.Time) string {
	var dated strings.Builder
	end, seen := 0, map[time.Time]bool{}
	for _, d := range dates.RelativeDays(text, at) {
		if seen[d.Day] || isQuoted(text, d.To) {
			continue
		}
		if seen[d.Day] = true; d.HasDate {
			continue
		}
		format := " (2006-01-02)"
		if d.InCJK {
			format = "（2006年1月2日）"
		}
		dated.WriteString(text[end:d.To])
		dated.WriteString(d.Day.Format(format))
		end = d.To
	}
	return dated.String() + text[end:]
}

// isQuoted reports whether a quotation begins before an offset and ends behind it.
func isQuoted(text string, at int) bool {
	return countQuoteMarks(text[:at])%2 == 1 && countQuoteMarks(text[at:]) > 0
}

func countQuoteMarks(text string) (n int) {
	for i := strings.IndexAny(text, quoteMarks); i >= 0; i = strings.IndexAny(text, quoteMarks) {
		_, size := utf8.DecodeRuneInString(text[i:])
		text = text[i+size:]
		n++
	}
	return n
}
