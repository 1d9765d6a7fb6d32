package dates

import (
	"time"

	"github.com/memory-tiered/memory/lang"
)

// readDayOfMonth reads a day without its month: "on the 20th", "am 20.", "le 20", "Friday the 20th".
func (r *reader) readDayOfMonth(f *found) mention {
	c, _ := f.get("day", "ordinal day")
	if !r.isAlone(f) {
		return mention{}
	}
	spans := r.daysOfMonth(c.value, f.from)
	if w, ok := f.get("weekday"); ok { // the one of them that is such a weekday
		for _, s := range spans {
			if s.From.Weekday() == time.Weekday(w.value) {
				spans = []Span{s}
				break
			}
		}
	}
	m := newMention(spans...)
	m.isRelative = true
	return m
}

// isAlone reports whether a day is asked for, and belongs to no noun behind it: "on the 20th floor".
func (r *reader) isAlone(f *found) bool {
	c, _ := f.get("day", "ordinal day")
	endsBeforeVerb := r.tokens[c.at].mark == '.' || r.hasCapitalNouns()
	if r.goesOn(f.to) && r.is(f.to, "of month") {
		return false
	}
	return (r.isAnchor || r.asksAt(f.from)) && r.isPhraseEnd(f.to, endsBeforeVerb)
}

// daysOfMonth returns the latest such day of a month and the coming one, or one of them if
// the tense tells which.
func (r *reader) daysOfMonth(day, at int) []Span {
	return choose(r.tenseAt(at)(), dayOfMonth(r.today, day, false), dayOfMonth(r.today, day, true))
}

// readWeekday reads a weekday or a weekend without a date. In a question about what happened
// it is the latest, and the coming one in a question about a plan. Else it may be a habit,
// and names no time.
func (r *reader) readWeekday(f *found) mention {
	c, isDay := f.get("weekday")
	isTime := r.asksAt(f.from) && r.isPhraseEnd(f.to, r.hasCapitalNouns()) && (!isDay || r.startsWeekday(c.at)) && !r.is(f.to, "of")
	if !isTime && !r.isAnchor {
		return mention{}
	}
	when := r.tenseAt(f.from)()
	if when == unknownTense && r.isPlanned(f.from) {
		when = futureTense
	}
	if when != pastTense && when != futureTense {
		return mention{}
	}
	span := weekendOf(r.today, when == futureTense)
	if isDay {
		span = weekdayOf(r.today, time.Weekday(c.value), when == futureTense)
	}
	m := newMention(span)
	m.isRelative = true
	return m
}

// isPlanned reports whether a word of a plan belongs to a day: "anything for Tuesday".
func (r *reader) isPlanned(at int) bool {
	return r.is(at, "for") || r.is(at-1, "for") || r.is(at-2, "for")
}

// startsWeekday reports whether a weekday is a time of its own. It is one at the
// beginning, and after a stop word or a verb: "on Friday", "done Friday". Determiners and
// adjectives make it another thing: "Black Friday", "my Friday".
func (r *reader) startsWeekday(at int) bool {
	if r.tokens[at].startsClause || r.is(at-1, "day article") {
		return true
	}
	previous := r.tokens[at-1].lower
	if r.is(at-1, "each", "determiner") {
		return false
	}
	isVerb := r.is(at-1, "past", "past participle", "participle after have", "plan") || r.grammar.hasEnding(previous, "past participle")
	return isVerb || lang.IsStopWord(previous) || r.is(at-1, "phrase start") || r.is(at-2, "subject")
}

// readRange reads "March to June" and "3 to 5 November".
func (r *reader) readRange(f *found) mention {
	dates := f.all("date")
	days := f.all("day")
	var from, to partialDate
	switch {
	case len(dates) == 2:
		from, to = dates[0].date, dates[1].date
	case len(dates) == 1 && len(days) == 1 && days[0].at < dates[0].at:
		from, to = partialDate{day: days[0].value}, dates[0].date
	case len(dates) == 1 && len(days) == 1:
		from, to = dates[0].date, dates[0].date
		to.day = days[0].value
		if year, ok := f.get("year"); ok {
			to.year = year.value
		}
		if from.day == 0 {
			return mention{}
		}
	default:
		return mention{}
	}
	return r.dateRange(from, to, f.from)
}

// dateRange returns the times from one date to another. Each may lack what the other one has.
// Without a year these are the latest, and the coming one if it is soon.
func (r *reader) dateRange(from, to partialDate, at int) mention {
	if from.month == 0 && from.year == 0 {
		from.month = to.month
	}
	if to.year == 0 && from.year > 0 {
		if to.year = from.year; to.month < from.month {
			to.year++
		}
	}
	if from.day > 0 && !from.exists() || to.day > 0 && !to.exists() {
		return mention{}
	}
	var spans []Span
	zone := r.now.Location()
	for _, end := range to.years(r.now, r.tenseAt(at)) {
		start := from
		if start.year == 0 {
			if start.year = end.year; start.month > end.month {
				start.year--
			}
		}
		if s := (Span{start.span(zone).From, end.span(zone).To}); s.From.Before(s.To) {
			spans = append(spans, s)
		}
	}
	return newMention(spans...)
}

// isPhraseEnd reports whether a time ends before token i. It does not if it belongs to a
// noun that follows: "on Friday releases", "on the 20th floor". German nouns begin with a capital letter.
func (r *reader) isPhraseEnd(i int, capitalNouns bool) bool {
	if !r.goesOn(i) {
		return true
	}
	return lang.IsStopWord(r.tokens[i].lower) || r.is(i, "phrase start") || capitalNouns && !r.isUpper(i)
}

// isShortWeekday reports whether a short form of a weekday is one. It is written with a
// capital letter, or a mark follows: "so 20" is none.
func (r *reader) isShortWeekday(at int) bool {
	t := r.tokens[at]
	return t.mark == '.' || t.mark == ',' || t.mark == ')' || len(t.lower) > len("so") && r.isUpper(at)
}
