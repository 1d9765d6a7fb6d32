package dates

import "time"

// RelativeDay is a part of a text that names one day, such as "tomorrow" or "vor drei Tagen".
type RelativeDay struct {
	Day      time.Time // its first moment
	From, To int       // the offsets of the words
	InCJK    bool
	HasDate  bool // the text names the date too: "tomorrow, 24 November"
}

// RelativeDays finds the relative days in a text, in their order. Times with several readings
// and times of more than a day are none. now is the time of the text, in the zone of its writer.
func RelativeDays(text string, now time.Time) (days []RelativeDay) {
	r, named := newReader(text, now), map[time.Time]bool{}
	for i := 0; i < len(r.tokens); i++ {
		m, ok := r.mentionAt(i)
		if !ok {
			continue
		}
		if m.to > i && r.isOneRelativeDay(m) {
			last := r.tokens[m.to-1]
			days = append(days, RelativeDay{Day: m.whole[0].From, From: r.tokens[i].from, To: last.to, InCJK: last.inCJK})
		}
		if len(m.date) > 0 && m.date[0].day > 0 {
			named[m.date[0].near(now).span(now.Location()).From] = true
		}
		i = max(i, m.to-1)
	}
	for i := range days {
		days[i].HasDate = named[days[i].Day]
	}
	return days
}

// isOneRelativeDay reports whether a mention is a relative day, and surely that one. "Freitag
// Morgen", "USA Today" and "the last Friday of each month" are none. Without a past tense, "hier"
// may be German.
func (r *reader) isOneRelativeDay(m mention) bool {
	if !m.isShift || len(m.whole) != 1 || !m.whole[0].IsDay() {
		return false
	}
	isUnsure := len(m.spans) > 1 && m.whole[0].From.After(r.now.AddDate(0, 0, surelyCounted))
	isOfMonths := r.is(m.to-1, "weekday") && r.goesOn(m.to) && r.is(m.to, "of month")
	isName := r.goesOn(m.from) && r.isUpper(m.from)
	isHere := m.to == m.from+1 && r.is(m.from, "other word") && r.tenseAt(m.from)() != pastTense
	isPartOfDay := r.goesOn(m.from) && r.is(m.from-1, "weekday", "each")
	return !isUnsure && !isPartOfDay && !isOfMonths && !isName && !isHere
}
