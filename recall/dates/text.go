package dates

import (
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/recall/language"
)

// maxTextDates bounds the dates that are read from one text.
const maxTextDates = 4

// dateTriggers lists the words without which a text names no relative date.
var dateTriggers = language.WordSet(`yesterday today tonight tomorrow last past ago gestern heute vorgestern letzte letzten letzter letztes vorige vorigen voriger vor
ayer hoy anteayer pasado pasada hace hier demain aujourd dernier dernière il`)

// MatchText returns the signals "month" and "day" of a memory. They are those of
// the day on which it was written, or of a time that its own text names. "I saw the
// doctor yesterday", written on 8 May, is about 7 May.
func (d Named) MatchText(text string, written time.Time) (month, day float64) {
	month, day = d.matchDate(written)
	if !d.IsSet() || month+day == 2 || !mayNameDate(text) {
		return month, day
	}
	for _, s := range textDates(text, written) {
		m, n := d.matchDate(s.From.Add(s.To.Sub(s.From) / 2))
		month, day = max(month, m), max(day, n)
	}
	return month, day
}

// mayNameDate is a quick test, because most texts name no date.
func mayNameDate(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return language.ScriptOf(r) != language.NoCJK }) ||
		language.AnyWord(text, func(w string) bool { return dateTriggers[w] || unicode.IsDigit(rune(w[0])) || monthNumbers[w] > 0 })
}

// textDates returns the times that a text names, at most a week long: a longer one
// tells too little about the day. Relative ones count from the day of writing.
func textDates(text string, written time.Time) (dates []Span) {
	tokens := tokenise(text)
	for i := 0; i < len(tokens) && len(dates) < maxTextDates; i++ {
		if d, n := parseDate(tokens[i:]); n > 0 && d.day > 0 {
			dates = append(dates, d.inferYearNear(written).span(written.Location()))
			i += n - 1
		}
	}
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.lower
	}
	for _, s := range relativeSpans(words, startOfDay(written)) {
		const week = 7
		if !s.To.After(s.From.AddDate(0, 0, week)) && len(dates) < maxTextDates {
			dates = append(dates, s)
		}
	}
	return dates
}
