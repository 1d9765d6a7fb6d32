package dates

import (
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// rangeWords lists the words between the first and the last date of a range, listWords
// those between two dates of a list. After "between", a list is a range.
var (
	rangeWords = language.WordSet("to until till through bis a al hasta à au jusqu'à jusqu'au jusqu'en -")
	listWords  = language.WordSet("and or und oder y o et ou")
)

// rangeStarts lists the words before the first date of a range.
var rangeStarts = language.WordSet("from von vom de del du desde")

// dateRange is what two dates with a word between them name.
type dateRange struct {
	from, to partialDate // to has a month or a year; from has the parts that to gives it
	isList   bool        // both are named, and not what is between them
}

// parseDateRange reads "March and June", "3 to 5 November" and "November 3-5". n is the
// number of its tokens; 0 if there is no range.
func parseDateRange(tokens []token, expected bool) (r dateRange, n int) {
	from, n := parseRangeStart(tokens, expected)
	if n == 0 || n+1 >= len(tokens) {
		return dateRange{}, 0
	}
	word := tokens[n].lower
	if tokens[n-1].endsClause || !rangeWords[word] && !listWords[word] {
		return dateRange{}, 0
	}
	to, m := parseRangeEnd(tokens[n+1:], from)
	if m == 0 {
		return dateRange{}, 0
	}
	if from.Month == 0 && from.Year == 0 {
		from.Month = to.Month
	}
	if to.Year == 0 && from.Year > 0 {
		if to.Year = from.Year; to.Month < from.Month {
			to.Year++
		}
	}
	return dateRange{from, to, listWords[word]}, n + 1 + m
}

// parseRangeStart reads a date, or a day whose month follows later.
func parseRangeStart(tokens []token, expected bool) (d partialDate, n int) {
	if d, n = parseDate(tokens, expected); n > 0 {
		return d, n
	}
	for n < len(tokens)-1 && dateFillers[tokens[n].lower] && expected {
		n++
	}
	if day := parseDay(tokens[n].lower); day > 0 {
		return partialDate{Date: calendar.Date{Day: day}}, n + 1
	}
	return partialDate{}, 0
}

// parseRangeEnd reads a date, or a day of the month of the first date.
func parseRangeEnd(tokens []token, from partialDate) (d partialDate, n int) {
	if d, n = parseDate(tokens, true); n > 0 && (from.Month > 0 || from.Year > 0 || d.Month > 0) {
		return d, n
	}
	if from.Month == 0 || from.Day == 0 {
		return partialDate{}, 0
	}
	for n = 0; n < len(tokens)-1 && dateFillers[tokens[n].lower]; n++ {
	}
	d = partialDate{Date: calendar.Date{Day: parseDay(tokens[n].lower), Month: from.Month, Year: from.Year}}
	if !d.Exists() {
		return partialDate{}, 0
	}
	n++
	if year, ok := nextYear(tokens, n); ok {
		d.Year = year
		n++
	}
	return d, n
}

// nextYear reads a year at token i.
func nextYear(tokens []token, i int) (year int, ok bool) {
	if i >= len(tokens) {
		return 0, false
	}
	return parseYear(tokens[i].lower)
}

// spans returns the times that a range covers. Without a year these are the latest, and
// the coming one if it is soon.
func (r dateRange) spans(now time.Time, when func() tense) (spans []Span) {
	for _, to := range r.to.years(now, when) {
		from := r.from
		if from.Year == 0 {
			if from.Year = to.Year; from.Month > to.Month {
				from.Year--
			}
		}
		zone := now.Location()
		if s := (Span{From: from.Span(zone).From, To: to.Span(zone).To}); s.From.Before(s.To) {
			spans = append(spans, s)
		}
	}
	return spans
}
