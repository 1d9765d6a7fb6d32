package dates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// Named holds the times that a question names.
type Named struct {
	dates []partialDate // days and months; some lack their year
	Spans []Span        // all others; one of a day names that day
	whole []Span
	tense tense      // read if a date lacks its year
	Event *Reference // the first reference to an event; nil: none

	// Relative tells that a time is relative to now: "last week".
	Relative bool

	// Rest is the question without its days and relative dates, which describe no
	// memory. Its months and years are left.
	Rest string

	// Words lists the words, in lower case, that name no time.
	Words []string
}

// Span is a time from one moment to another one.
type Span = calendar.Span

// IsSet reports whether the question names any time.
func (d Named) IsSet() bool { return len(d.dates) > 0 || len(d.Spans) > 0 }

// matchDate returns the signals "month" and "day" of a moment. They tell whether a
// named month or span contains it, and whether it is on a named day.
func (d Named) matchDate(at time.Time) (month, day float64) {
	for _, s := range d.Spans {
		if s.Contains(at) {
			month, day = 1, max(day, isOneDay(s))
		}
	}
	year, m, n := at.Date()
	for _, date := range d.dates {
		switch {
		case date.Matches(year, m, n):
			month = 1
			if date.Day > 0 {
				day = 1
			}
		case (calendar.Date{Month: date.Month, Year: date.Year}).Matches(year, m, n):
			month = 1
		}
	}
	return month, day
}

// Whole returns the times that a question means if it asks for nothing else. A date
// without a year is the latest, and the coming one if that is soon.
func (d Named) Whole(now time.Time) []Span {
	times := slices.Clone(d.whole)
	for _, date := range d.dates {
		for _, complete := range date.years(now, func() tense { return d.tense }) {
			times = append(times, complete.Span(now.Location()))
		}
	}
	return times
}

func isYear(w string) bool {
	_, ok := parseYear(w)
	return ok
}

// parseYear reads a year from 1900 to 2199, in which a memory may have been written.
func parseYear(w string) (int, bool) {
	if len(w) != len("2006") || !isDigit(w[0]) { // an error of Atoi takes memory
		return 0, false
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n >= 1900 && n < 2200
}

// IsDay reports whether a word may be the day of a month: 7, 07 or 7th.
func IsDay(w string) bool { return parseDay(w) > 0 }

// parseDay reads 7, 07 and 7th. It returns 0 if w is no day.
func parseDay(w string) int {
	if w == "" || !isDigit(w[0]) && w[0] != '+' {
		return 0
	}
	if language.IsOrdinal(w) {
		w = strings.TrimRight(strings.ToLower(w), "sthndr")
	}
	if len(w) > len("31") {
		return 0
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	return n
}

// isOneDay returns 1 for a span of one day.
func isOneDay(s Span) float64 {
	if s.IsDay() {
		return 1
	}
	return 0
}
