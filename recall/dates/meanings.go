package dates

import (
	"time"

	"github.com/memory-tiered/memory/lang"
)

// meaning gives a match of a rule its time. The mention is not set if the match is no time.
type meaning struct {
	read  func(r *reader, f *found) mention
	level int // rules contain only those of lower levels
}

// meanings has the meanings of rules by their names, which lang/dates.md explains.
var meanings map[string]*meaning

func init() {
	meanings = map[string]*meaning{
		"date":            {(*reader).readDate, 1},
		"none":            {func(*reader, *found) mention { return mention{isNone: true} }, 2},
		"days":            {func(r *reader, f *found) mention { return times(daysFrom(r.today, f.values[0], 1)) }, 2},
		"shift":           {func(r *reader, f *found) mention { return r.shift(f, f.values[0]) }, 2},
		"next":            {(*reader).readNext, 2},
		"weekday-of-week": {(*reader).readWeekdayOfWeek, 2},
		"ago":             {(*reader).readAgo, 2},
		"in":              {func(r *reader, f *found) mention { n, days := f.amount(); return times(unit(r.today, days, n)) }, 2},
		"past": {func(r *reader, f *found) mention {
			n, days := f.amount()
			return times(daysFrom(r.today, -n*days, n*days+1))
		}, 2},
		"ahead":        {func(r *reader, f *found) mention { n, days := f.amount(); return times(daysFrom(r.today, 0, n*days+1)) }, 2},
		"day-of-month": {(*reader).readDayOfMonth, 3},
		"weekday":      {(*reader).readWeekday, 3},
		"weekend":      {(*reader).readWeekday, 3},
		"range":        {(*reader).readRange, anyLevel},
		"before":       {relation(func(_, last Span) Span { return Span{To: last.From} }), anyLevel},
		"until":        {relation(func(_, last Span) Span { return Span{To: last.To} }), anyLevel},
		"since":        {relation(func(first, _ Span) Span { return Span{From: first.From} }), anyLevel},
		"after":        {relation(func(first, _ Span) Span { return Span{From: first.To} }), anyLevel},
	}
}

// times returns a mention of some readings.
func times(spans ...Span) mention { return mention{spans: spans} }

// readDate reads a date with or without its month and its year. With a weekday before it, the
// date counts.
func (r *reader) readDate(f *found) mention {
	var d partialDate
	for _, c := range f.captures {
		switch c.class {
		case "figures", "date":
			d = c.date
		case "month", "month short", "month beside", "number": // a number in scripts that count them
			d.month = time.Month(c.value)
		case "day", "ordinal day":
			d.day = c.value
		case "year":
			d.year = c.value
		}
	}
	_, hasWeekday := f.get("weekday", "weekday short")
	if d == (partialDate{}) || d.month > 0 && !d.exists() || d.day == 0 && hasWeekday {
		return mention{}
	}
	m := mention{date: d}
	for _, date := range r.years(d, f.from) {
		m.spans = append(m.spans, date.span(r.now.Location()))
	}
	return m
}

// readRange reads "March to June" and "3 to 5 November". Each date may lack what the other one
// has.
func (r *reader) readRange(f *found) (m mention) {
	var ends []partialDate
	for _, c := range f.captures {
		switch c.class {
		case "date":
			ends = append(ends, c.date)
		case "day":
			ends = append(ends, partialDate{day: c.value})
		case "year":
			ends[len(ends)-1].year = c.value
		}
	}
	from, to := ends[0], ends[1]
	if from.month == 0 && from.year == 0 {
		from.month = to.month
	} else if to.month == 0 && to.day > 0 {
		to.month = from.month
	}
	if to.year == 0 && from.year > 0 {
		if to.year = from.year; to.month < from.month {
			to.year++
		}
	}
	if from.day > 0 && !from.exists() || to.day > 0 && !to.exists() {
		return m
	}
	zone := r.now.Location()
	for _, end := range r.years(to, f.from) {
		start := from
		if start.year == 0 {
			if start.year = end.year; start.month > end.month {
				start.year--
			}
		}
		if s := (Span{start.span(zone).From, end.span(zone).To}); s.From.Before(s.To) {
			m.spans = append(m.spans, s)
		}
	}
	return m
}

// relation reads "since March" by the first and the last reading of the time in it. There is none
// in "after the May meeting". What has begun ends with today, and a plan begins with it.
func relation(of func(first, last Span) Span) func(*reader, *found) mention {
	return func(r *reader, f *found) mention {
		c := f.captures[0]
		if c.date != (partialDate{}) && c.date.day == 0 && !r.endsPhrase(f.to) {
			return mention{}
		}
		s := of(c.spans[0], c.spans[len(c.spans)-1])
		if !s.From.IsZero() && !s.From.After(r.today) {
			s.To = daysFrom(r.today, 0, 1).To
		} else if s.To.After(r.today) && r.tenseAt(f.from) == futureTense {
			s.From = r.today
		}
		return times(s)
	}
}

// shift reads a period before or after the current one: "last week", "the Friday before last".
func (r *reader) shift(f *found, by int) mention {
	c, ok := f.get("unit", "weekday", "month", "month short")
	switch day := time.Weekday(c.value); {
	case len(f.values) > 1:
		return times(unit(r.today, f.values[1], by))
	case !ok:
		return mention{}
	case c.class == "weekday" && by == 0:
		return times(daysFrom(startOfWeek(r.today), inWeek(day), 1))
	case c.class == "weekday" && by > 0:
		return times(daysFrom(weekdayOf(r.today, day, true).From, daysInWeek*(by-1), 1))
	case c.class == "weekday":
		return times(daysFrom(weekdayOf(r.today, day, false).From, daysInWeek*(by+1), 1))
	case c.class == "unit":
		return times(unit(r.today, c.value, by))
	}
	year := partialDate{month: time.Month(c.value)}.latestUntil(r.today).year // of the current or the last one
	if by < 0 && time.Month(c.value) == r.today.Month() || by > 0 {
		year += by
	}
	return times(partialDate{month: time.Month(c.value), year: year}.span(r.today.Location()))
}

// readNext reads "next Friday", which may also be the one of the next week.
func (r *reader) readNext(f *found) mention {
	m := r.shift(f, 1)
	if c, ok := f.get("weekday"); ok {
		if other := daysFrom(startOfWeek(r.today), daysInWeek+inWeek(time.Weekday(c.value)), 1); other != m.spans[0] {
			m.spans = append(m.spans, other)
		}
	}
	return m
}

// readWeekdayOfWeek reads "Friday of the last week".
func (r *reader) readWeekdayOfWeek(f *found) mention {
	c, _ := f.get("weekday")
	return times(daysFrom(startOfWeek(r.today), daysInWeek*f.values[0]+inWeek(time.Weekday(c.value)), 1))
}

// amount returns the number and the unit of a match, which the rule may have itself.
func (f *found) amount() (n, days int) {
	if len(f.values) > 1 {
		return f.values[0], f.values[1]
	}
	c, _ := f.get("number")
	u, _ := f.get("unit", "plural unit")
	return c.value, u.value
}

// readAgo reads "3 weeks ago" and "two Fridays ago".
func (r *reader) readAgo(f *found) mention {
	n, days := f.amount()
	if c, ok := f.get("weekday", "plural weekday"); ok {
		return times(daysFrom(weekdayOf(r.today, time.Weekday(c.value), false).From, daysInWeek*(1-n), 1))
	}
	return times(unit(r.today, days, -n))
}

// readDayOfMonth reads a day without its month: "on the 20th" and "am 20.".
func (r *reader) readDayOfMonth(f *found) mention {
	c, _ := f.get("day", "ordinal day")
	if !r.isExpected && !(r.asks() && r.endsPhrase(f.to)) {
		return mention{}
	}
	return times(choose(r.tenseAt(f.from), dayOfMonth(r.today, c.value, false), dayOfMonth(r.today, c.value, true))...)
}

// readWeekday reads a weekday or a weekend without a date. In a question about what happened
// it is the latest, and the coming one in a question about a plan. Else it may be a habit,
// and names no time.
func (r *reader) readWeekday(f *found) mention {
	c, isDay := f.get("weekday")
	if !r.asks() && !r.isExpected {
		return mention{}
	}
	when := r.tenseAt(f.from)
	if len(f.values) > 0 {
		when = futureTense
	}
	isTime := when != unknownTense && r.endsPhrase(f.to) && (!isDay || !r.isName(c.at))
	switch {
	case !isTime && !r.isExpected:
		return mention{}
	case isDay:
		return times(choose(when, weekdayOf(r.today, time.Weekday(c.value), false), weekdayOf(r.today, time.Weekday(c.value), true))...)
	}
	weekendOf := func(offset int) Span { return unit(r.today, weekend, offset) }
	if weekendOf(0).From.After(r.today) {
		return times(choose(when, weekendOf(-1), weekendOf(0))...)
	}
	return times(weekendOf(0))
}

// isName reports whether a weekday belongs to a name or a noun: "Black Friday", "my Friday".
func (r *reader) isName(at int) bool {
	if r.tokens[at].startsClause {
		return false
	}
	return r.is(at-1, "determiner") || !lang.IsStopWord(r.tokens[at-1].lower) && r.tense(at-1, at) == unknownTense
}

// endsPhrase reports whether a time ends before a token. It does not if it belongs to a
// noun that follows: "on Friday releases", "on the 20th floor".
func (r *reader) endsPhrase(at int) bool {
	return !r.goesOn(at) || lang.IsStopWord(r.tokens[at].lower) || r.tense(at, at+1) != unknownTense
}
