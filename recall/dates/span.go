package dates

import "time"

// Span is the time between two moments, the second exclusive. A zero moment means
// an open end.
type Span struct{ From, To time.Time }

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

// weekend is the value of the weekend as a unit: its days.
const weekend = 2

// unit returns the week, weekend, month or year of a day, or another one by an offset. The unit
// is given by its days in the tables.
func unit(today time.Time, days, offset int) Span {
	switch days {
	case weekend:
		return daysFrom(startOfWeek(today), daysInWeek*offset+inWeek(time.Saturday), weekend)
	case daysInWeek:
		return daysFrom(startOfWeek(today), daysInWeek*offset, daysInWeek)
	case unitDays["month"]:
		first := time.Date(today.Year(), today.Month()+time.Month(offset), 1, 0, 0, 0, 0, today.Location())
		return Span{first, first.AddDate(0, 1, 0)}
	case unitDays["year"]:
		first := time.Date(today.Year()+offset, 1, 1, 0, 0, 0, 0, today.Location())
		return Span{first, first.AddDate(1, 0, 0)}
	}
	return daysFrom(today, offset, 1)
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
		month := unit(today, unitDays["month"], offset).From
		at := month.AddDate(0, 0, day-1)
		if at.Month() == month.Month() && at.After(today) == isComing {
			return daysFrom(at, 0, 1)
		}
	}
}
