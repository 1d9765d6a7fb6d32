package dates

import (
	"strconv"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// partialDate is a date that a text names. A missing part is 0.
type partialDate struct {
	day       int
	month     time.Month
	year      int
	swappable bool // the day may be the month and the month the day, as in 3/11
	inFigures bool // as in 2026-11-03
}

// readings returns d, and d with its day and month swapped if they may be.
func (d partialDate) readings() []partialDate {
	if !d.swappable {
		return []partialDate{d}
	}
	d.swappable = false
	return []partialDate{d, d.swapped()}
}

// swapped returns d with its day as the month and its month as the day.
func (d partialDate) swapped() partialDate {
	d.day, d.month = int(d.month), time.Month(d.day)
	return d
}

// matches reports whether a day has all parts of d.
func (d partialDate) matches(year int, month time.Month, day int) bool {
	return (d.year == 0 || d.year == year) && (d.month == 0 || d.month == month) && (d.day == 0 || d.day == day)
}

// span returns the day, else the month, else the year. The year must be set.
func (d partialDate) span(zone *time.Location) Span {
	switch {
	case d.day > 0:
		return daysFrom(time.Date(d.year, d.month, d.day, 0, 0, 0, 0, zone), 0, 1)
	case d.month > 0:
		return monthOf(time.Date(d.year, d.month, 1, 0, 0, 0, 0, zone), 0)
	}
	return yearOf(time.Date(d.year, 1, 1, 0, 0, 0, 0, zone), 0)
}

// exists reports whether the calendar has the day, in a leap year if the year is missing.
func (d partialDate) exists() bool {
	year := d.year
	if year == 0 {
		year = 2000
	}
	at := time.Date(year, d.month, d.day, 0, 0, 0, 0, time.UTC)
	return d.day > 0 && at.Month() == d.month && at.Day() == d.day
}

// existing returns d if it exists, else its year.
func (d partialDate) existing(needsDay bool) partialDate {
	if d.month < 1 || d.month > 12 || needsDay && !d.exists() {
		d = partialDate{year: d.year}
	}
	if d.year > 0 && parseYear(strconv.Itoa(d.year)) == 0 {
		return partialDate{}
	}
	return d
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

// years gives a date without a year the latest year in which it is past. If it comes
// within a few months, it is also that coming date: people ask for plans, too. The tense
// of the question may tell which one is meant.
func (d partialDate) years(now time.Time, when func() tense) []partialDate {
	if d.year > 0 {
		return []partialDate{d}
	}
	past, coming := d.latestUntil(now), d.near(now)
	if past == coming {
		return []partialDate{past}
	}
	return choose(when(), past, coming)
}

// choose returns what is past, what is to come, or both if the tense does not tell which.
func choose[T any](when tense, past, coming T) []T {
	switch when {
	case pastTense:
		return []T{past}
	case futureTense:
		return []T{coming}
	}
	return []T{past, coming}
}

// figures matches a date in figures: 2026-11-03, 2026_11_03, 2026/11/03T18:00, 2026-11,
// 3.11.2026, 3.11.26, 3/11/2026, 3.11 and 3/11.
var figures = lazyregexp.New(`^(?:(\d{4})[-/._](\d{1,2})(?:[-/._](\d{1,2})(?:t\d{2}:\d{2}.*)?)?|(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2}))?)$`)

// isFigures reports whether a word looks like a date in figures.
func isFigures(w string) bool { return isDigit(w[0]) && figures.MatchString(w) }

// parseFigures reads a date in figures. It returns an empty date if there is none. The
// year alone is left of a day that does not exist.
func (r *reader) parseFigures(at int) (d partialDate) {
	m := figures.FindStringSubmatch(r.tokens[at].lower)
	if m == nil {
		return partialDate{}
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(m[i]) // 0 if it is not there
		return n
	}
	if m[1] != "" {
		return partialDate{day: number(3), month: time.Month(number(2)), year: number(1), inFigures: true}.existing(m[3] != "")
	}
	d = partialDate{day: number(4), month: time.Month(number(6)), year: number(7), inFigures: true}
	isDotted := m[5] == "."
	switch {
	case m[7] == "" && (m[5] == "-" || !r.isExpected(at, "before date")), len(m[7]) == 2 && !isDotted:
		return partialDate{}
	case len(m[7]) == 2:
		const century = 2000
		d.year += century
	}
	if other := d.swapped(); !isDotted && !d.exists() {
		d = other
	} else {
		d.swappable = !isDotted && other.exists() && other.day != d.day
	}
	return d.existing(true)
}
