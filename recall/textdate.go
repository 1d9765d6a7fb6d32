package recall

import (
	"strings"
	"time"
	"unicode"
)

// maxTextDates bounds the dates that are read from one text.
const maxTextDates = 4

// dateTriggers lists the words without which a text names no relative date.
var dateTriggers = wordSet(`yesterday today tonight tomorrow last past ago gestern heute vorgestern letzte letzten letzter letztes vorige vorigen voriger vor
ayer hoy anteayer pasado pasada hace hier demain aujourd dernier dernière il`)

// matchText returns the signals "month" and "day" of a memory: of the day on which it
// was written, or of a time that its own text names. "I saw the doctor yesterday",
// written on 8 May, is about 7 May.
func (d namedDates) matchText(text string, written time.Time) (month, day float64) {
	month, day = d.matchDate(written)
	if !d.isSet() || month+day == 2 || !mayNameDate(text) {
		return month, day
	}
	for _, s := range textDates(text, written) {
		m, n := d.matchDate(s.from.Add(s.to.Sub(s.from) / 2))
		month, day = max(month, m), max(day, n)
	}
	return month, day
}

// mayNameDate is a quick test, because most texts name no date.
func mayNameDate(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return scriptOf(r) != noCJK }) ||
		anyWord(text, func(w string) bool { return dateTriggers[w] || unicode.IsDigit(rune(w[0])) || monthNumbers[w] > 0 })
}

// textDates returns the times that a text names, at most a week long: a longer one
// tells too little about the day. Relative ones count from the day of writing.
func textDates(text string, written time.Time) (dates []span) {
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
		if !s.to.After(s.from.AddDate(0, 0, week)) && len(dates) < maxTextDates {
			dates = append(dates, s)
		}
	}
	return dates
}
