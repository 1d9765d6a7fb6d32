package calendar

import "time"

// LeapYears is the most years between two that have a 29 February or a 53rd week.
const LeapYears = 8

// nearMonths is how many months ahead a time is near.
const nearMonths = 3

// YearsAround returns two years of a part that not every year may have. latest is that of the
// last part that has begun, coming that of the first one that is not over. isNear reports
// whether they differ and the coming part begins within three months.
func YearsAround(now time.Time, part func(year Span) (Span, bool)) (latest, coming Span, isNear bool) {
	for back := range LeapYears {
		latest = Year(now, -back)
		if s, ok := part(latest); ok && !s.From.After(now) {
			break
		}
	}
	for ahead := range LeapYears {
		coming = Year(now, ahead)
		if s, ok := part(coming); ok && !s.IsOver(now) {
			return latest, coming, coming != latest && !s.From.After(now.AddDate(0, nearMonths, 0))
		}
	}
	return latest, coming, false
}
