package calendar

import "time"

// StartOfDay returns the first moment of the day of now, in its time zone.
func StartOfDay(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// Days returns n days from an offset to a day on.
func Days(from time.Time, offset, n int) Span {
	return Span{from.AddDate(0, 0, offset), from.AddDate(0, 0, offset+n)}
}

// StartOfWeek returns the Monday of the week of a day.
func StartOfWeek(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }

// Month returns the month of a day, or another one by an offset.
func Month(t time.Time, offset int) Span {
	first := time.Date(t.Year(), t.Month()+time.Month(offset), 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(0, 1, 0)}
}

// Year returns the year of a day, or another one by an offset.
func Year(t time.Time, offset int) Span {
	first := time.Date(t.Year()+offset, 1, 1, 0, 0, 0, 0, t.Location())
	return Span{first, first.AddDate(1, 0, 0)}
}

// DaysSince returns how many days before a day its latest weekday of a kind was, from
// 1 to 7.
func DaysSince(t time.Time, day time.Weekday) int {
	const week = 7
	return (int(t.Weekday()-day)+week-1)%week + 1
}

// DaysUntil returns how many days after a day its next weekday of a kind is, from 1 to 7.
func DaysUntil(t time.Time, day time.Weekday) int {
	const week = 7
	return (int(day-t.Weekday())+week-1)%week + 1
}

// Weekday returns the coming weekday of a kind, or the latest one.
func Weekday(today time.Time, day time.Weekday, isComing bool) Span {
	if isComing {
		return Days(today, DaysUntil(today, day), 1)
	}
	return Days(today, -DaysSince(today, day), 1)
}

// DayOfMonth returns the coming day of a month that has such a day, or the latest one.
func DayOfMonth(today time.Time, day int, isComing bool) Span {
	step := -1
	if isComing {
		step = 1
	}
	for offset := 0; ; offset += step {
		month := Month(today, offset).From
		at := month.AddDate(0, 0, day-1)
		if at.Month() == month.Month() && at.After(today) == isComing {
			return Days(at, 0, 1)
		}
	}
}

// Weekend returns the first weekend that is not over, or the latest that has begun.
func Weekend(today time.Time, isComing bool) Span {
	const saturday, week = 5, 7
	s := Days(StartOfWeek(today), saturday, 2)
	if !isComing && s.From.After(today) {
		return Days(s.From, -week, 2)
	}
	return s
}

// Third returns a third of a year, a month or a week, from 1 to 3. The
// last third of a week begins on Friday.
func Third(s Span, part int) Span {
	var from, to time.Time
	switch {
	case s.IsWithin(7):
		from, to = s.From.AddDate(0, 0, 2), s.From.AddDate(0, 0, 4)
	case s.IsWithin(31):
		from, to = s.From.AddDate(0, 0, 10), s.From.AddDate(0, 0, 20)
	default:
		from, to = s.From.AddDate(0, 4, 0), s.From.AddDate(0, 8, 0)
	}
	switch part {
	case 1:
		return Span{s.From, from}
	case 2:
		return Span{from, to}
	}
	return Span{to, s.To}
}

// Part returns a part of a year or a month that is divided into several. The first half of a
// month has 15 days.
func Part(s Span, number, of int) Span {
	if s.IsWithin(31) {
		const half = 15 // days
		if middle := s.From.AddDate(0, 0, half); number > 1 {
			s.From = middle
		} else {
			s.To = middle
		}
		return s
	}
	months := 12 / of
	return Span{s.From.AddDate(0, (number-1)*months, 0), s.From.AddDate(0, number*months, 0)}
}

// Week returns a week of the year of a day by its number, as ISO 8601 counts. It reports
// false if the year has no such week.
func Week(year time.Time, number int) (Span, bool) {
	const inFirstWeek = 4 // January
	first := StartOfWeek(time.Date(year.Year(), 1, inFirstWeek, 0, 0, 0, 0, year.Location()))
	s := Days(first, 7*(number-1), 7)
	_, n := s.From.ISOWeek()
	return s, n == number
}

// YearsAgo returns the year some years ago. A year ago is a time about that day, a month
// on each side.
func YearsAgo(t time.Time, n int) Span {
	if n == 1 {
		return Span{t.AddDate(-1, -1, 0), t.AddDate(-1, 1, 1)}
	}
	return Year(t, -n)
}

// MonthsAgo returns the month some months ago. A month ago is a time about that day, ten
// days on each side: the month may have ended yesterday.
func MonthsAgo(t time.Time, n int) Span {
	month := Month(t, -n)
	if n != 1 {
		return month
	}
	const about = 10 // days
	day := month.From.AddDate(0, 0, t.Day()-1)
	if !day.Before(month.To) {
		day = month.To.AddDate(0, 0, -1) // there is no 30 February
	}
	return Days(day, -about, 2*about+1)
}
