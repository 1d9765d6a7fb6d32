package dates

import "time"

// Span is the time between two moments, the second exclusive. A zero moment means
// an open end.
type Span struct{ From, To time.Time }

// IsSet reports whether either end is set.
func (s Span) IsSet() bool { return s != (Span{}) }

// Contains reports whether a moment is in the span.
func (s Span) Contains(at time.Time) bool {
	return !at.Before(s.From) && (s.To.IsZero() || at.Before(s.To))
}

// IsOver reports whether a span ended by a moment.
func (s Span) IsOver(now time.Time) bool { return !s.To.IsZero() && !s.To.After(now) }

// Extended returns a span with some days more on each side.
func (s Span) Extended(days int) Span {
	if !s.From.IsZero() {
		s.From = s.From.AddDate(0, 0, -days)
	}
	if !s.To.IsZero() {
		s.To = s.To.AddDate(0, 0, days)
	}
	return s
}

// IsWithin reports whether a span has both ends and at most some days.
func (s Span) IsWithin(days int) bool {
	return !s.From.IsZero() && !s.To.IsZero() && !s.To.After(s.From.AddDate(0, 0, days))
}

// IsDay reports whether a span is one day, which is 23 to 25 hours long.
func (s Span) IsDay() bool { return s.To.Equal(s.From.AddDate(0, 0, 1)) }

// Covers reports whether a span contains another one.
func (s Span) Covers(other Span) bool {
	return !other.From.Before(s.From) && (s.To.IsZero() || !other.To.After(s.To))
}

// isYear reports whether a span is a year of the calendar.
func (s Span) isYear() bool { return s == yearOf(s.From, 0) }

// isMonth reports whether a span is a month of the calendar.
func (s Span) isMonth() bool { return s == monthOf(s.From, 0) }

// daysInWeek is also how far a weekday is from the same one of another week.
const daysInWeek = 7

// startOfDay returns the first moment of the day of now, in its time zone.
func startOfDay(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// daysFrom returns n days from an offset to a day on.
func daysFrom(from time.Time, offset, n int) Span {
	return Span{from.AddDate(0, 0, offset), from.AddDate(0, 0, offset+n)}
}

// startOfWeek returns the Monday of the week of a day.
func startOfWeek(t time.Time) time.Time { return t.AddDate(0, 0, -inWeek(t.Weekday())) }

// inWeek returns the number of a weekday in a week, which begins with Monday, 0.
func inWeek(day time.Weekday) int { return (int(day) + 6) % daysInWeek }

// monthOf returns the month of a day, or another one by an offset.
func monthOf(t time.Time, offset int) Span {
	first := time.Date(t.Year(), t.Month()+time.Month(offset), 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(0, 1, 0)}
}

// yearOf returns the year of a day, or another one by an offset.
func yearOf(t time.Time, offset int) Span {
	first := time.Date(t.Year()+offset, 1, 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(1, 0, 0)}
}

// weekdayOf returns the coming weekday of a kind, from tomorrow on, or the latest one before
// today.
func weekdayOf(today time.Time, day time.Weekday, isComing bool) Span {
	if isComing {
		return daysFrom(today, (int(day-today.Weekday())+daysInWeek-1)%daysInWeek+1, 1)
	}
	return daysFrom(today, -((int(today.Weekday()-day)+daysInWeek-1)%daysInWeek + 1), 1)
}

// dayOfMonth returns the coming day of a month that has such a day, or the latest one.
func dayOfMonth(today time.Time, day int, isComing bool) Span {
	step := -1
	if isComing {
		step = 1
	}
	for offset := 0; ; offset += step {
		month := monthOf(today, offset).From
		at := month.AddDate(0, 0, day-1)
		if at.Month() == month.Month() && at.After(today) == isComing {
			return daysFrom(at, 0, 1)
		}
	}
}

// weekendOf returns the first weekend that is not over, or the latest that has begun.
func weekendOf(today time.Time, isComing bool) Span {
	s := daysFrom(startOfWeek(today), inWeek(time.Saturday), weekend)
	if !isComing && s.From.After(today) {
		return daysFrom(s.From, -daysInWeek, weekend)
	}
	return s
}

// third returns a third of a year, a month or a week, from 1 to 3. The
// last third of a week begins on Friday.
func third(s Span, part int) Span {
	from, to := s.From.AddDate(0, 4, 0), s.From.AddDate(0, 8, 0)
	switch {
	case s.IsWithin(daysInWeek):
		from, to = s.From.AddDate(0, 0, 2), s.From.AddDate(0, 0, 4)
	case s.IsWithin(31):
		from, to = s.From.AddDate(0, 0, 10), s.From.AddDate(0, 0, 20)
	}
	return [...]Span{{s.From, from}, {from, to}, {to, s.To}}[part-1]
}

// partOf returns a part of a year or a month that is divided into several. The first half of a
// month has 15 days.
func partOf(s Span, number, of int) Span {
	if s.isMonth() {
		return [...]Span{daysFrom(s.From, 0, 15), {s.From.AddDate(0, 0, 15), s.To}}[number-1]
	}
	months := 12 / of
	return Span{s.From.AddDate(0, (number-1)*months, 0), s.From.AddDate(0, number*months, 0)}
}

// yearsAgo returns the year some years ago. A year ago is a time about that day, a month
// on each side.
func yearsAgo(t time.Time, n int) Span {
	if n == 1 {
		return Span{t.AddDate(-1, -1, 0), t.AddDate(-1, 1, 1)}
	}
	return yearOf(t, -n)
}

// monthsAgo returns the month some months ago. A month ago is a time about that day, ten
// days on each side: the month may have ended yesterday.
func monthsAgo(t time.Time, n int) Span {
	month := monthOf(t, -n)
	if n != 1 {
		return month
	}
	const about = 10 // days
	day := month.From.AddDate(0, 0, t.Day()-1)
	if !day.Before(month.To) {
		day = month.To.AddDate(0, 0, -1) // there is no 30 February
	}
	return daysFrom(day, -about, 2*about+1)
}

// yearly returns one of the times that come each year, such as May or the winter. They begin with
// a month and have several. which is -1 for the last one that is over, 0 for the current one and
// 1 for the next one.
func yearly(t time.Time, first time.Month, months, which int) Span {
	in := func(year int) Span {
		from := time.Date(year, first, 1, 0, 0, 0, 0, t.Location())
		return Span{from, from.AddDate(0, months, 0)}
	}
	year := t.Year() - 1
	for in(year).IsOver(t) { // the first that is not over
		year++
	}
	switch {
	case which == 0 && !in(year).Contains(t):
		return in(t.Year())
	case which > 0 && !in(year).Contains(t):
		return in(year)
	}
	return in(year + which)
}
