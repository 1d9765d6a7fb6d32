package dates

import (
	"strconv"
	"time"
)

// takeNumericDates returns the days that words name in figures, and the other words.
// 2026-11-03 and 3.11.2026 are three words each. A day like 3/11/2026 may be in March or
// in November, so it counts as both.
func takeNumericDates(words []string, zone *time.Location) (days []Span, rest []string) {
	for i := 0; i < len(words); i++ {
		found := numericDates(words[i:], zone)
		if len(found) == 0 {
			rest = append(rest, words[i])
			continue
		}
		days = append(days, found...)
		i += 2
	}
	return days, rest
}

// numericDates returns the days that the first three words name.
func numericDates(words []string, zone *time.Location) (days []Span) {
	if len(words) < 3 {
		return nil
	}
	first, second, third := words[0], words[1], words[2]
	add := func(year, month, day string) {
		y, isYear := parseYear(year)
		m, err := strconv.Atoi(month)
		d := parseDay(day)
		if !isYear || err != nil || len(month) > 2 || d == 0 || first == second && len(days) > 0 {
			return
		}
		at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, zone)
		if at.Month() == time.Month(m) && at.Day() == d {
			days = append(days, daySpan(at, 0, 1))
		}
	}
	if isYear(first) {
		add(first, second, third)
		return days
	}
	add(third, second, first)
	add(third, first, second)
	return days
}
