package recall

import (
	"strconv"
	"strings"
	"time"
)

// token is a word of a question.
type token struct {
	text, lower string // as it stands and in lower case, both without the sentence's punctuation
	endsClause  bool   // a comma or more stands behind it
}

func tokenise(text string) (all []token) {
	for field := range strings.FieldsSeq(text) {
		raw := strings.Trim(field, `.,;:!?…()[]"“”„«»¿¡–—`)
		if raw == "" { // French puts a space before its question mark
			if len(all) > 0 {
				all[len(all)-1].endsClause = true
			}
			continue
		}
		low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(raw), "’", "'"), "'s")
		last := field[len(field)-1]
		ends := strings.IndexByte(",;:!?)", last) >= 0 || last == '.' && !allDigits(raw) // "am 3. Juni"
		all = append(all, token{raw, low, ends})
	}
	return all
}

// partialDate is a date as far as it is named.
type partialDate struct {
	day   int
	month time.Month
	year  int
}

// span is the day, the month or the year.
func (d partialDate) span(zone *time.Location) span {
	switch {
	case d.day > 0:
		return daySpan(time.Date(d.year, d.month, d.day, 0, 0, 0, 0, zone), 0, 1)
	case d.month > 0:
		return monthSpan(time.Date(d.year, d.month, 1, 0, 0, 0, 0, zone), 0)
	}
	return yearSpan(time.Date(d.year, 1, 1, 0, 0, 0, 0, zone), 0)
}

func (d partialDate) isVague() bool { return d.day == 0 && (d.month == 0 || d.year == 0) }

// inferYear gives a date without a year the last one in which it has come. Where it
// may be meant to come, it may be a little ahead.
func (d partialDate) inferYear(now time.Time, coming bool) partialDate {
	const ahead = 2 // months: "before December" in October is the next one
	if coming {
		return d.latestUntil(now.AddDate(0, ahead, 0))
	}
	return d.latestUntil(now)
}

// inferYearNear gives a date without a year the one that who wrote it on a day meant:
// the last one, or one that is near, as people write down what they plan.
func (d partialDate) inferYearNear(day time.Time) partialDate {
	const planned = 3 // months
	return d.latestUntil(day.AddDate(0, planned, 0))
}

// latestUntil gives a date without a year the last one that begins until then.
func (d partialDate) latestUntil(last time.Time) partialDate {
	if d.year == 0 {
		if d.year = last.Year(); d.span(last.Location()).from.After(last) {
			d.year--
		}
	}
	return d
}

// parseDate reads the date at the beginning of tokens, articles passed over: how
// many tokens it is; 0: there is none.
func parseDate(all []token) (d partialDate, n int) {
	if at, err := time.Parse(time.DateOnly, all[0].lower); err == nil {
		return partialDate{at.Day(), at.Month(), at.Year()}, 1
	}
	for i, t := range all {
		year, isYear := parseYear(t.lower)
		m, isMonth := monthNumbers[t.lower]
		day := parseDay(t.lower)
		switch {
		case isYear && d.year == 0:
			d.year = year
			n = i + 1
		case isMonth && d.month == 0 && d.year == 0:
			d.month = m
			n = i + 1
		case day > 0 && d.day == 0 && d.year == 0 && (d.month > 0 || i+1 < len(all)):
			d.day = day
			if d.month > 0 {
				n = i + 1
			}
		case !dateFillers[t.lower]:
			return d.checked(n)
		}
		if t.endsClause && !(d.month > 0 && d.year == 0 && i+1 < len(all) && isYearAt(all[i+1])) {
			break // "May 8, 2023" goes on behind its comma
		}
	}
	return d.checked(n)
}

func isYearAt(t token) bool { return isYear(t.lower) }

// checked is the date without a day that belongs to nothing.
func (d partialDate) checked(n int) (partialDate, int) {
	if n == 0 || d.month == 0 && d.day > 0 {
		return partialDate{}, 0
	}
	return d, n
}

// dateFillers are the words that may stand in a date.
var dateFillers = wordSet(`the of on in year month der dem den des im am vom zum jahr monat el la del de año mes le du l'année mois d'`)

// parseAnchorDate reads the date that something is related to. A month or a year that goes
// on, as in "after the May meeting", is none.
func parseAnchorDate(all []token, now time.Time, coming bool) (span, int) {
	d, n := parseDate(all)
	switch {
	case n == 0:
		return parseRelativeDate(all, now)
	case d.isVague() && n < len(all) && !all[n-1].endsClause && !stopWords[all[n].lower]:
		return span{}, 0
	}
	return d.inferYear(now, coming).span(now.Location()), n
}

// parseDateRange reads "March and June": from the first to the end of the other.
func parseDateRange(all []token, now time.Time) (span, int) {
	from, n := parseDate(all)
	if n == 0 || n+1 >= len(all) || !rangeWords[all[n].lower] {
		return span{}, 0
	}
	to, m := parseDate(all[n+1:])
	if m == 0 {
		return span{}, 0
	}
	if from.month == 0 && from.year == 0 {
		from.month = to.month
	}
	to = to.inferYear(now, false)
	if from.year == 0 {
		if from.year = to.year; from.month > to.month {
			from.year--
		}
	}
	zone := now.Location()
	return span{from.span(zone).from, to.span(zone).to}, n + 1 + m
}

// rangeWords are the words between two dates of which one is the first and the other
// the last.
var rangeWords = wordSet("and to until till und bis y a al hasta et à au jusqu'à jusqu'en")

// maxRelativeWords is one word more than the longest of asOfToday: "in the last 3
// weeks".
const maxRelativeWords = 6

// parseRelativeDate reads a time that is named by the day on which one asks: "last week".
func parseRelativeDate(all []token, now time.Time) (span, int) {
	var text []string
	for _, t := range all[:min(maxRelativeWords, len(all))] {
		text = append(text, t.lower)
	}
	joined := strings.Join(text, " ")
	for _, r := range relativeDates {
		at := r.said.FindStringIndex(joined)
		if at == nil || at[0] != 0 {
			continue
		}
		words, n := strings.Fields(joined[:at[1]]), 0
		for _, w := range words {
			if allDigits(w) {
				n, _ = strconv.Atoi(w)
			}
		}
		if n <= maxUnitsBack {
			return r.span(startOfDay(now), n), len(words)
		}
	}
	return span{}, 0
}

// parseDistance reads the distance at the end of tokens, in days: "two weeks" before,
// "the day" after. A bare unit is one of it.
func parseDistance(all []token) int {
	if len(all) == 0 || all[len(all)-1].endsClause {
		return 0
	}
	unit := unitDays[all[len(all)-1].lower]
	if len(all) < 2 || unit == 0 {
		return unit
	}
	n, known := numberValues[all[len(all)-2].lower]
	if !known {
		n, _ = strconv.Atoi(all[len(all)-2].lower)
	}
	return min(max(1, n), maxUnitsBack/unit) * unit
}

// unitDays are the units of a distance. A month is one more than the longest; a
// weekend is told of until the next.
var unitDays = map[string]int{}

// numberValues are numbers in words, as far as people write them so.
var numberValues = map[string]int{}

func init() {
	for unit, words := range map[int]string{
		1:  "day days tag tage día días jour jours",
		7:  "week weeks weekend woche wochen wochenende semana semanas semaine semaines",
		31: "month months monat monate mes meses mois",
	} {
		for w := range strings.FieldsSeq(words) {
			unitDays[w] = unit
		}
	}
	for _, words := range []string{
		"one two three four five six seven eight nine ten", "eine zwei drei vier fünf sechs sieben acht neun zehn",
		"una dos tres cuatro cinco seis siete ocho nueve diez", "une deux trois quatre cinq six sept huit neuf dix",
	} {
		for i, w := range strings.Fields(words) {
			numberValues[w] = i + 1
		}
	}
}
