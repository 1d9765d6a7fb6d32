// Package calendar has spans of days, dates with missing parts, and the weeks, months and other parts into which they
// are divided. It reads no text.
package calendar

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
