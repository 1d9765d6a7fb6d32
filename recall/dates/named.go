package dates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/language"
)

// Named holds the times that a question names.
type Named struct {
	months []time.Month
	days   []int // of those months
	years  []int
	Spans  []Span // one of a day names that day

	// Rest lists the words of the question that name no time.
	Rest []string
}

// Span is the time between two moments, the second exclusive. A zero moment means
// an open end.
type Span struct{ From, To time.Time }

// IsSet reports whether either end is set.
func (s Span) IsSet() bool { return s != (Span{}) }

// Contains reports whether a moment is in the span.
func (s Span) Contains(at time.Time) bool {
	return !at.Before(s.From) && (s.To.IsZero() || at.Before(s.To))
}

// isOneDay returns 1 for a span of one day, which is 23 to 25 hours long.
func (s Span) isOneDay() float64 {
	if s.To.Equal(s.From.AddDate(0, 0, 1)) {
		return 1
	}
	return 0
}

// IsSet reports whether the question names any time.
func (d Named) IsSet() bool { return len(d.months) > 0 || len(d.Spans) > 0 }

// matchDate returns the signals "month" and "day" of a moment. They tell whether a
// named month or span contains it, and whether it is on a named day.
func (d Named) matchDate(at time.Time) (month, day float64) {
	for _, s := range d.Spans {
		if s.Contains(at) {
			month, day = 1, max(day, s.isOneDay())
		}
	}
	year, m, n := at.Date()
	if !slices.Contains(d.months, m) || len(d.years) > 0 && !slices.Contains(d.years, year) {
		return month, day
	}
	if slices.Contains(d.days, n) {
		return 1, 1
	}
	return 1, day
}

// ParseNamed finds the times in the words of a question. now is in the
// workspace's time zone.
func ParseNamed(words []string, now time.Time) (d Named) {
	d.Spans, words = takeNumericDates(words, now.Location())
	d.Spans = append(d.Spans, relativeSpans(words, startOfDay(now))...)
	for i, w := range words {
		if year, ok := parseYear(w); ok {
			d.years = append(d.years, year)
		}
		if m, known := monthNumbers[w]; known && (!ambiguousMonths[w] || isMonthName(words, i)) && !slices.Contains(d.months, m) {
			d.months = append(d.months, m)
		}
	}
	if len(d.months) > 0 {
		for _, w := range words {
			if day := parseDay(w); day > 0 {
				d.days = append(d.days, day)
			}
		}
	}
	d.Rest = slices.DeleteFunc(withoutRelativeDates(words), func(w string) bool {
		return isYear(w) || slices.Contains(d.months, monthNumbers[w]) || len(d.months) > 0 && parseDay(w) > 0
	})
	if len(d.months) == 0 {
		for _, year := range d.years {
			d.Spans = append(d.Spans, Span{time.Date(year, 1, 1, 0, 0, 0, 0, now.Location()), time.Date(year+1, 1, 1, 0, 0, 0, 0, now.Location())})
		}
	}
	return d
}

// Times returns all times that the question names, of the latest year if it names none.
func (d Named) Times(now time.Time) []Span {
	times := slices.Clone(d.Spans)
	years := d.years
	if len(years) == 0 {
		years = []int{0}
	}
	for _, m := range d.months {
		for _, year := range years {
			for _, day := range d.daysOrNone() {
				times = append(times, partialDate{day, m, year}.inferYear(now, false).span(now.Location()))
			}
		}
	}
	return times
}

// daysOrNone returns the days of the named months, or 0 for whole months.
func (d Named) daysOrNone() []int {
	if len(d.days) == 0 {
		return []int{0}
	}
	return d.days
}

// isMonthName reports whether the neighbours of an ambiguous word show that it is a
// month.
func isMonthName(words []string, i int) bool {
	return i > 0 && (monthPrepositions[words[i-1]] || parseDay(words[i-1]) > 0) ||
		i+1 < len(words) && (parseDay(words[i+1]) > 0 || isYear(words[i+1]))
}

func isYear(w string) bool {
	_, ok := parseYear(w)
	return ok
}

// parseYear reads a year from 1900 to 2199, in which a memory may have been written.
func parseYear(w string) (int, bool) {
	n, err := strconv.Atoi(w)
	return n, err == nil && len(w) == 4 && n >= 1900 && n < 2200
}

// parseDay reads 7, 07 and 7th. It returns 0 if w is no day.
func parseDay(w string) int {
	if language.IsOrdinal(w) {
		w = strings.TrimRight(strings.ToLower(w), "sthndr")
	}
	n, err := strconv.Atoi(w)
	if err != nil || len(w) > 2 || n < 1 || n > 31 {
		return 0
	}
	return n
}

// startOfDay returns the first moment of the day of now, in its time zone.
func startOfDay(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

func daySpan(from time.Time, offset, n int) Span {
	return Span{from.AddDate(0, 0, offset), from.AddDate(0, 0, offset+n)}
}

func startOfWeek(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }

func monthSpan(t time.Time, offset int) Span {
	first := time.Date(t.Year(), t.Month()+time.Month(offset), 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(0, 1, 0)}
}

func yearSpan(t time.Time, offset int) Span {
	first := time.Date(t.Year()+offset, 1, 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(1, 0, 0)}
}

// monthNumbers maps the full names of months, in languages where most are no other
// word, to their numbers.
var monthNumbers = map[string]time.Month{}

func init() {
	for _, names := range []string{
		"january february march april may june july august september october november december",
		"januar februar märz april mai juni juli august september oktober november dezember",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	} {
		for i, name := range strings.Fields(names) {
			monthNumbers[name] = time.Month(i + 1)
		}
	}
}

// ambiguousMonths lists month names that are also other words. They count only next
// to a day or a year, or after one of monthPrepositions.
var ambiguousMonths = language.WordSet("may march mars mai mayo")

// monthPrepositions lists the words that show that an ambiguous word is a month.
var monthPrepositions = language.WordSet("in of since until on im seit bis en de desde hasta depuis")
