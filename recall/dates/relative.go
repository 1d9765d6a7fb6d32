package dates

import "time"

// relative returns a mention of a time relative to today. Its words stay in the question if it
// is long and has begun. Most of what was written this year is no answer, and notes often have
// the words.
func (r *reader) relative(spans ...Span) mention {
	m := newMention(spans...)
	m.isRelative, m.kept = true, r.isLong(spans[0], daysInWeek)
	return m
}

// surelyCounted is the number of days up to which a person counts without a mistake, as a
// rule.
const surelyCounted = 7

// counted returns a mention of a day that a person counted, who may be wrong by one.
func (r *reader) counted(offset int) mention {
	s := daysFrom(r.today, offset, 1)
	m := r.relative(s.Extended(1), s)
	m.kept, m.whole = false, []Span{s}
	if offset < -surelyCounted {
		m.spans, m.whole = m.spans[:1], []Span{s, s.Extended(1)}
	}
	return m
}

// readDays reads a day, or several, by their distance.
func (r *reader) readDays(f *found) mention {
	n := 1
	if len(f.values) > 1 {
		n = f.values[1]
	}
	return r.relative(daysFrom(r.today, f.values[0], n))
}

// readShift reads a period before or after the current one: "last week", "the Friday before last".
func (r *reader) readShift(f *found) mention { return r.shift(f, f.values[0]) }

func (r *reader) shift(f *found, by int) mention {
	c, ok := f.get("unit", "weekday", "month", "month after", "season")
	if len(f.values) > 1 {
		return r.relative(r.unit(f.values[1], by))
	} else if !ok {
		return mention{}
	}
	switch c.class {
	case "weekday":
		if by == 0 {
			return r.thisWeekday(time.Weekday(c.value))
		}
		s := weekdayOf(r.today, time.Weekday(c.value), by > 0)
		return r.relative(daysFrom(s.From, daysInWeek*(by-sign(by)), 1))
	case "month", "month after":
		return r.relative(yearly(r.today, time.Month(c.value), 1, by))
	case "season":
		const spring, months = time.March, 3
		return r.relative(yearly(r.today, spring+time.Month(months*(c.value-1)), months, by))
	}
	if s := r.unit(c.value, by); s.IsSet() {
		return r.relative(s)
	}
	return mention{}
}

// thisWeekday reads "this Monday". On a Friday, it may be the coming one.
func (r *reader) thisWeekday(day time.Weekday) mention {
	s := daysFrom(startOfWeek(r.today), inWeek(day), 1)
	if s.From.Before(r.today) {
		return r.relative(s, weekdayOf(r.today, day, true))
	}
	return r.relative(s)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// unit returns the current week, weekend, month or year, or another one by an offset.
func (r *reader) unit(days, offset int) Span {
	switch days {
	case weekend:
		return daysFrom(startOfWeek(r.today), daysInWeek*offset+inWeek(time.Saturday), weekend)
	case daysInWeek:
		return daysFrom(startOfWeek(r.today), daysInWeek*offset, daysInWeek)
	case nameValues["month"]:
		return monthOf(r.today, offset)
	case nameValues["year"]:
		return yearOf(r.today, offset)
	}
	return Span{}
}

// readComing reads "the coming Friday" and "the coming weekend", which may be in this week.
func (r *reader) readComing(f *found) mention {
	if c, ok := f.get("unit"); ok && c.value == weekend {
		return r.relative(r.unit(weekend, 0))
	}
	return r.shift(f, 1)
}

// readNext reads "next Friday", which may also be the one of the next week.
func (r *reader) readNext(f *found) mention {
	m := r.shift(f, 1)
	if c, ok := f.get("weekday"); ok {
		if other := daysFrom(startOfWeek(r.today), daysInWeek+inWeek(time.Weekday(c.value)), 1); other != m.spans[0] {
			return r.relative(m.spans[0], other)
		}
	}
	return m
}

// readWeekdayOfWeek reads "Friday of the last week".
func (r *reader) readWeekdayOfWeek(f *found) mention {
	c, _ := f.get("weekday")
	return r.relative(daysFrom(startOfWeek(r.today), daysInWeek*f.values[0]+inWeek(time.Weekday(c.value)), 1))
}

// amount returns the number and the unit of a match, which the rule may have itself.
func (f *found) amount() (n, unit int) {
	if len(f.values) > 1 {
		return f.values[0], f.values[1]
	}
	c, _ := f.get("n")
	u, _ := f.get("unit", "plural unit")
	return c.value, u.value
}

// readAgo reads "3 weeks ago", and "3 weeks ago today" as that day.
func (r *reader) readAgo(f *found) mention {
	n, unit := f.amount()
	if c, ok := f.get("weekday", "plural weekday"); ok {
		return r.relative(daysFrom(weekdayOf(r.today, time.Weekday(c.value), false).From, daysInWeek*(1-n), 1))
	}
	switch isExact := len(f.values) == 1; {
	case unit == 1:
		return r.counted(-n)
	case unit == daysInWeek && isExact:
		return r.relative(daysFrom(r.today, -daysInWeek*n, 1))
	case unit == nameValues["month"]:
		return r.relative(monthsAgo(r.today, n))
	case unit == nameValues["year"]:
		return r.relative(yearsAgo(r.today, n))
	}
	return r.relative(r.unit(unit, -n))
}

// readIn reads "in 3 weeks".
func (r *reader) readIn(f *found) mention {
	n, unit := f.amount()
	if unit == 1 {
		return r.counted(n)
	}
	return r.relative(r.unit(unit, n))
}

// few has the days of some days, weeks or months.
var few = map[int]int{1: 7, 7: 28, 31: 92}

// readFewAgo reads "a few weeks ago".
func (r *reader) readFewAgo(f *found) mention {
	_, unit := f.amount()
	if few[unit] == 0 {
		return mention{}
	}
	return r.relative(daysFrom(r.today, -few[unit], few[unit]-unit+1))
}

// readPast reads "the last 3 weeks" and "the last weeks".
func (r *reader) readPast(f *found) mention {
	n, unit := f.amount()
	days := n * unit
	if n == 0 {
		days = few[unit]
	}
	if days == 0 {
		return mention{}
	}
	return r.relative(daysFrom(r.today, -days, days+1))
}

// readAhead reads "the next 3 weeks" and "the next weeks".
func (r *reader) readAhead(f *found) mention {
	if n, unit := f.amount(); n > 0 && unit <= daysInWeek {
		return r.relative(daysFrom(r.today, 0, n*unit+1))
	}
	const soon = 28 // days
	return r.relative(daysFrom(r.today, 1, soon))
}
