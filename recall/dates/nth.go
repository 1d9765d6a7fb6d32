package dates

import (
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
)

// ordinals maps the words before a part of a month to its number; the last one is -1.
var ordinals = map[string]int{}

func init() {
	for i, words := range []string{
		"last letzte letzten letzter letztes última último últimas últimos dernière dernier dernières derniers", "",
		"first 1st erste ersten erster erstes primer primera primeras primeros premier première premières premiers",
		"second 2nd zweite zweiten zweiter zweites segunda segundo deuxième", "third 3rd dritte dritten dritter drittes tercer tercera troisième",
		"fourth 4th vierte vierten vierter viertes cuarta cuarto quatrième", "fifth 5th fünfte fünften fünfter fünftes quinta quinto cinquième",
	} {
		for w := range strings.FieldsSeq(words) {
			ordinals[w] = i - 1
		}
	}
}

// oneDay lists the names of a day. Without a number, several days are no certain time.
var oneDay = map[string]bool{"day": true, "tag": true, "día": true, "jour": true}

// shortestMonth is the number of days that every month has.
const shortestMonth = 28

// nthAt reads a part of a month that is counted: "the second week of November", "the first
// Friday in May".
func (r *reader) nthAt(i int) (m mention) {
	n, count, nth := i, 0, 0
	for ; n < len(r.tokens)-3 && n < i+2 && !r.tokens[n].endsClause; n++ { // French has the number first
		word := r.tokens[n].lower
		number, _ := strconv.Atoi(word)
		if number = max(number, numberValues[word]); nth == 0 && ordinals[word] != 0 {
			nth = ordinals[word]
		} else if count == 0 && number > 0 {
			count = number
		} else {
			break
		}
	}
	unit, isNumbered := r.tokens[min(n, len(r.tokens)-1)].lower, count > 0
	weekday, isWeekday := weekdayNumbers[unit]
	length := unitDays[unit] * max(1, count)
	switch {
	case weekendWords[unit]:
		weekday, isWeekday, length = time.Saturday, true, 2
	case isWeekday:
		length = 1
	}
	isUncertain := isWeekday && isNumbered || unitDays[unit] == 1 && !isNumbered && !oneDay[unit]
	if nth == 0 || length == 0 || length > shortestMonth || isUncertain || !dateFillers[r.tokens[n+1].lower] {
		return mention{}
	}
	months, to := r.monthsAt(n + 2)
	for _, month := range months {
		from := month.From.AddDate(0, 0, (nth-1)*length)
		switch {
		case isWeekday && nth < 0:
			from = month.To.AddDate(0, 0, -calendar.DaysSince(month.To, weekday))
		case isWeekday:
			from = month.From.AddDate(0, 0, calendar.DaysUntil(month.From.AddDate(0, 0, -1), weekday)-1+7*(nth-1))
		case nth < 0:
			from = month.To.AddDate(0, 0, -length)
		}
		if from.Before(month.To) {
			m.from, m.to, m.spans = i, to, append(m.spans, Span{From: from, To: from.AddDate(0, 0, length)})
		}
	}
	m.whole, m.kept = m.spans, m.to > 0 && isPartKept(m.spans[0], r.now)
	return m
}

// monthsAt reads a month, which may be relative. Without a year it may be of several.
func (r *reader) monthsAt(i int) (months []Span, to int) {
	if i >= len(r.tokens) {
		return nil, 0
	}
	if s, n := parseRelativeDate(r.tokens[i:], r.now); n > 0 && s.IsWithin(31) && !s.IsWithin(27) {
		return []Span{s}, i + n
	}
	d, n := parseDate(r.tokens[i:], true)
	if n == 0 || d.Month == 0 || d.Day > 0 {
		return nil, 0
	}
	for _, complete := range d.years(r.now, r.tenseAt(i)) {
		months = append(months, complete.Span(r.now.Location()))
	}
	return months, i + n
}
