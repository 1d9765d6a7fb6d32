package dates

import (
	"strconv"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// partialDate is a date that a text names. A missing part is 0.
type partialDate struct {
	day   int
	month time.Month
	year  int
}

// span returns the day, else the month, else the year. The year must be set.
func (d partialDate) span(zone *time.Location) Span {
	switch {
	case d.day > 0:
		return daysFrom(time.Date(d.year, d.month, d.day, 0, 0, 0, 0, zone), 0, 1)
	case d.month > 0:
		return unit(time.Date(d.year, d.month, 1, 0, 0, 0, 0, zone), unitDays["month"], 0)
	}
	return unit(time.Date(d.year, 1, 1, 0, 0, 0, 0, zone), unitDays["year"], 0)
}

// exists reports whether the calendar has the date, in a leap year if the year is missing.
func (d partialDate) exists() bool {
	year := d.year
	if year == 0 {
		year = 2000
	}
	at := time.Date(year, d.month, max(1, d.day), 0, 0, 0, 0, time.UTC)
	return at.Month() == d.month && (d.year == 0 || parseYear(strconv.Itoa(d.year)) > 0)
}

// near gives a date without a year the year that its writer meant. That
// is the latest one until the day of writing, or soon after it, because people
// write down plans.
func (d partialDate) near(written time.Time) partialDate {
	const planned = 3 // months
	return d.latestUntil(written.AddDate(0, planned, 0))
}

// leapYears is the most years between two that have a 29 February.
const leapYears = 8

// latestUntil gives a date without a year the latest year that has it, and in which it begins
// no later than last. Few years have a 29 February.
func (d partialDate) latestUntil(last time.Time) partialDate {
	if d.year > 0 {
		return d
	}
	hasBegun := func(from time.Time) bool { return !from.After(last) && (d.day == 0 || from.Day() == d.day) }
	for d.year = last.Year(); d.year > last.Year()-leapYears && !hasBegun(d.span(last.Location()).From); d.year-- {
	}
	return d
}

// years gives a date without a year the latest year in which it is past, and that in which it
// comes within a few months. The tense of its sentence may tell which one is meant.
func (r *reader) years(d partialDate, at int) []partialDate {
	past, coming := d.latestUntil(r.now), d.near(r.now)
	if past == coming {
		return []partialDate{past}
	}
	return choose(r.tenseAt(at), past, coming)
}

// figures matches a date in figures: 2026-11-03, 2026_11_03, 2026/11/03T18:00, 2026-11,
// 3.11.2026, 3.11.26, 23/11/2026, 3.11 and 23/11.
var figures = lazyregexp.New(`^(?:(\d{4})[-/._](\d{1,2})(?:[-/._](\d{1,2})(?:t\d{2}:\d{2}.*)?)?|(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2}))?)$`)

// isFigures reports whether a word looks like a date in figures.
func isFigures(w string) bool { return isDigit(w[0]) && figures().MatchString(w) }

// parseFigures reads a date in figures. It returns an empty date if there is none, or if it has
// two readings, as 3/11. A date without a year counts where one is expected.
func parseFigures(word string, isExpected bool) partialDate {
	m := figures().FindStringSubmatch(word)
	if m == nil {
		return partialDate{}
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(m[i]) // 0 if it is not there
		return n
	}
	d := partialDate{number(3), time.Month(number(2)), number(1)}
	if m[1] == "" {
		d = partialDate{number(4), time.Month(number(6)), number(7)}
	}
	isDotted := m[5] == "."
	switch {
	case m[1] != "":
	case m[7] == "" && (m[5] == "-" || !isExpected), len(m[7]) == 2 && !isDotted:
		return partialDate{}
	case len(m[7]) == 2:
		const century = 2000
		d.year += century
	}
	if other := (partialDate{int(d.month), time.Month(d.day), d.year}); m[1] == "" && !isDotted && d.month != time.Month(d.day) && other.exists() {
		if d.exists() {
			return partialDate{}
		}
		d = other
	}
	if !d.exists() || d.month < 1 {
		return partialDate{}
	}
	return d
}
