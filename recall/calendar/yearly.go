package calendar

import "time"

// Yearly is a time that comes each year, such as May or the winter.
type Yearly struct {
	First  time.Month // it begins with this month
	Months int        // how many it has
}

// In returns the time that begins in a year.
func (y Yearly) In(year int, zone *time.Location) Span {
	from := time.Date(year, y.First, 1, 0, 0, 0, 0, zone)
	return Span{From: from, To: from.AddDate(0, y.Months, 0)}
}

// current returns the first that is not over.
func (y Yearly) current(t time.Time) Span {
	s := y.In(t.Year()-1, t.Location())
	for !s.To.After(t) {
		s = y.In(s.From.Year()+1, t.Location())
	}
	return s
}

// Last returns the latest that is over.
func (y Yearly) Last(t time.Time) Span { return y.In(y.current(t).From.Year()-1, t.Location()) }

// This returns the one that contains a day, else that of its year.
func (y Yearly) This(t time.Time) Span {
	if s := y.current(t); s.Contains(t) {
		return s
	}
	return y.In(t.Year(), t.Location())
}

// Next returns the first that has not begun.
func (y Yearly) Next(t time.Time) Span {
	s := y.current(t)
	if s.Contains(t) {
		s = y.In(s.From.Year()+1, t.Location())
	}
	return s
}
