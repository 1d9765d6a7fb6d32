package calendar

import "time"

// Date is a date of which some parts may be missing. A missing part is 0.
type Date struct {
	Day   int
	Month time.Month
	Year  int
}

// Swapped returns d with its day as the month and its month as the day.
func (d Date) Swapped() Date { return Date{Day: int(d.Month), Month: time.Month(d.Day), Year: d.Year} }

// Matches reports whether a day has all parts of d.
func (d Date) Matches(year int, month time.Month, day int) bool {
	return (d.Year == 0 || d.Year == year) && (d.Month == 0 || d.Month == month) && (d.Day == 0 || d.Day == day)
}

// Span returns the day, else the month, else the year. The year must be set.
func (d Date) Span(zone *time.Location) Span {
	switch {
	case d.Day > 0:
		return Days(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone), 0, 1)
	case d.Month > 0:
		return Month(time.Date(d.Year, d.Month, 1, 0, 0, 0, 0, zone), 0)
	}
	return Year(time.Date(d.Year, 1, 1, 0, 0, 0, 0, zone), 0)
}

// IsVague reports whether d has no day, and lacks the month or the year as well.
func (d Date) IsVague() bool { return d.Day == 0 && (d.Month == 0 || d.Year == 0) }

// Exists reports whether the calendar has the day, in a leap year if the year is missing.
func (d Date) Exists() bool {
	year := d.Year
	if year == 0 {
		year = 2000
	}
	at := time.Date(year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
	return d.Day > 0 && at.Month() == d.Month && at.Day() == d.Day
}

// InferYear gives a date without a year the latest year in which it is past. If the
// date may be in the future, it may be a little ahead.
func (d Date) InferYear(now time.Time, mayBeFuture bool) Date {
	const ahead = 2 // months: "before December", asked in October, is the next one
	if mayBeFuture {
		return d.latestUntil(now.AddDate(0, ahead, 0))
	}
	return d.latestUntil(now)
}

// InferYearNear gives a date without a year the year that its writer meant. That
// is the latest one until the day of writing, or soon after it, because people
// write down plans.
func (d Date) InferYearNear(written time.Time) Date {
	const planned = 3 // months
	return d.latestUntil(written.AddDate(0, planned, 0))
}

// latestUntil gives a date without a year the latest year that has it, and in which it begins
// no later than last. Few years have a 29 February.
func (d Date) latestUntil(last time.Time) Date {
	if d.Year > 0 {
		return d
	}
	hasBegun := func(from time.Time) bool { return !from.After(last) && (d.Day == 0 || from.Day() == d.Day) }
	for d.Year = last.Year(); d.Year > last.Year()-LeapYears && !hasBegun(d.Span(last.Location()).From); d.Year-- {
	}
	return d
}
