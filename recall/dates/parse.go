package dates

import (
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// partialDate is a date that a text names.
type partialDate struct {
	calendar.Date
	swappable bool // the day may be the month and the month the day, as in 3/11
	inFigures bool // as in 2026-11-03
}

// readings returns d, and d with its day and month swapped if they may be.
func (d partialDate) readings() []partialDate {
	if !d.swappable {
		return []partialDate{d}
	}
	d.swappable = false
	return []partialDate{d, {Date: d.Swapped(), inFigures: true}}
}

// years gives a date without a year the latest year in which it is past. If it comes
// within a few months, it is also that coming date: people ask for plans, too. The tense
// of the question may tell which one is meant.
func (d partialDate) years(now time.Time, when func() tense) []calendar.Date {
	if d.Year > 0 {
		return []calendar.Date{d.Date}
	}
	past, coming := d.InferYear(now, false), d.InferYearNear(now)
	switch {
	case coming == past || when() == pastTense:
		return []calendar.Date{past}
	case when() == futureTense:
		return []calendar.Date{coming}
	}
	return []calendar.Date{past, coming}
}

// parseDate reads a date at the beginning of tokens, which may contain articles and
// prepositions. n is the number of its tokens; 0 if there is no date. expected tells that
// the words before it announce a date.
func parseDate(tokens []token, expected bool) (d partialDate, n int) {
	if d = parseFigures(tokens[0]); d != (partialDate{}) {
		d.inFigures = true
		return d, 1
	}
	for i, t := range tokens {
		year, yearOK := parseYear(t.lower)
		day := parseDay(t.lower)
		switch month := monthAt(tokens[i:], expected || d.Day > 0); {
		case yearOK && d.Year == 0:
			d.Year = year
			n = i + 1
		case month > 0 && d.Month == 0 && d.Year == 0:
			d.Month = month
			n = i + 1
		case day > 0 && d.Day == 0 && d.Year == 0 && (d.Month > 0 || i+1 < len(tokens)):
			d.Day = day
			if d.Month > 0 {
				n = i + 1
			}
		case !dateFillers[t.lower]:
			return d.checked(n)
		}
		if t.endsClause && !(d.Month > 0 && d.Year == 0 && i+1 < len(tokens) && isYear(tokens[i+1].lower)) {
			break // but "May 8, 2023" goes on after its comma
		}
	}
	return d.checked(n)
}

// checked returns no date if n is 0 or a day has no month.
func (d partialDate) checked(n int) (partialDate, int) {
	if n == 0 || d.Month == 0 && d.Day > 0 || d.Day > 0 && !d.Exists() {
		return partialDate{}, 0
	}
	return d, n
}

// dateFillers lists the words that may occur between the parts of a date.
var dateFillers = language.WordSet(`the of on in year month der dem den des im am vom zum jahr monat el la del de año mes le du l'année mois d'`)

// parseAnchorDate reads a date to which a relation refers, and returns the number of
// its tokens. A month or year with a noun after it is none: "after the May meeting".
func parseAnchorDate(tokens []token, now time.Time, mayBeFuture bool) (Span, int) {
	d, n := parseDate(tokens, true)
	switch {
	case n == 0:
		return parseRelativeDate(tokens, now)
	case d.IsVague() && n < len(tokens) && !tokens[n-1].endsClause && !language.IsStopWord(tokens[n].lower):
		return Span{}, 0
	}
	return d.InferYear(now, mayBeFuture).Span(now.Location()), n
}

// parseDistance reads a distance in time at the end of tokens and returns it in
// days: "two weeks" before, "the day" after. A unit without a number counts once.
func parseDistance(tokens []token) int {
	if len(tokens) == 0 || tokens[len(tokens)-1].endsClause {
		return 0
	}
	unit := unitDays[tokens[len(tokens)-1].lower]
	if len(tokens) < 2 || unit == 0 {
		return unit
	}
	n, known := numberValues[tokens[len(tokens)-2].lower]
	if !known {
		n, _ = strconv.Atoi(tokens[len(tokens)-2].lower)
	}
	return min(max(1, n), maxUnitsBack/unit) * unit
}

// unitDays maps the units of a distance to days. A month has 31 days, the most that
// one has. A weekend has 7, because people tell of it until the next one.
var unitDays = map[string]int{}

// numberValues maps the numbers that people write as words to their values.
var numberValues = map[string]int{}

func init() {
	for unit, words := range map[int]string{
		1:   "day days tag tage tagen día días jour jours",
		7:   "week weeks weekend woche wochen wochenende semana semanas semaine semaines",
		31:  "month months monat monate monaten mes meses mois",
		366: "year years jahr jahre jahren año años an ans année années",
	} {
		for w := range strings.FieldsSeq(words) {
			unitDays[w] = unit
		}
	}
	for _, words := range []string{
		"one two three four five six seven eight nine ten eleven twelve", "eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
		"una dos tres cuatro cinco seis siete ocho nueve diez once doce", "une deux trois quatre cinq six sept huit neuf dix onze douze",
	} {
		for i, w := range strings.Fields(words) {
			numberValues[w] = i + 1
		}
	}
}
