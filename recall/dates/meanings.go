package dates

import (
	"time"
)

// mention is a time that a text names, and its words.
type mention struct {
	from, to   int  // the first word, and the one after the last
	kept       bool // its words stay in the question
	isRelative bool // to now
	isShift    bool // it is a distance from now: "last week"
	isNone     bool // it only looks like a time
	date       []partialDate
	spans      []Span // what it may mean, and matches a memory
	whole      []Span // what a question means that asks for nothing else, the likeliest first
}

// isSet reports whether the mention is a time, or surely none.
func (m mention) isSet() bool { return m.isNone || len(m.date)+len(m.spans) > 0 }

// newMention returns a mention of some readings.
func newMention(spans ...Span) mention { return mention{spans: spans, whole: spans} }

// relative returns a mention of a time relative to today. Its words stay in the question if it
// is long and has begun: most of what was written this year is no answer, and notes often have
// the words.
func (r *reader) relative(spans ...Span) mention {
	m := newMention(spans...)
	m.isRelative, m.kept = true, r.isLong(spans[0], daysInWeek)
	return m
}

// part returns a mention of a part of a month or a year. Notes name a month, but seldom its part.
func (r *reader) part(spans []Span) mention {
	const halfMonth = 16 // days
	m := newMention(spans...)
	m.kept = len(spans) > 0 && r.isLong(spans[0], halfMonth)
	return m
}

// isLong reports whether a time is longer than some days and has begun.
func (r *reader) isLong(s Span, days int) bool { return !s.IsWithin(days) && !s.From.After(r.now) }

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

// meaning gives a match of a rule its time. The mention is not set if the match is no time.
type meaning struct {
	read       func(r *reader, f *found) mention
	isRelative bool // to now
}

// meanings has the meanings of rules by their names, which lang/dates.md explains.
var meanings map[string]*meaning

func init() {
	meanings = map[string]*meaning{
		"date": {read: (*reader).readDate}, "range": {read: (*reader).readRange}, "list": {read: (*reader).readList},
		"third": {read: (*reader).readThird}, "nth": {read: (*reader).readNth}, "part": {read: (*reader).readPart}, "numbered-week": {read: (*reader).readWeek},
		"within": {read: (*reader).readWithin}, "day-of-month": {read: (*reader).readDayOfMonth}, "weekday": {read: (*reader).readWeekday}, "weekend": {read: (*reader).readWeekday},
		"none": {func(*reader, *found) mention { return mention{isNone: true} }, true},
		"days": {(*reader).readDays, true}, "shift": {(*reader).readShift, true}, "coming": {(*reader).readComing, true}, "next": {(*reader).readNext, true},
		"weekday-of-week": {(*reader).readWeekdayOfWeek, true}, "ago": {(*reader).readAgo, true}, "in": {(*reader).readIn, true}, "few-ago": {(*reader).readFewAgo, true},
		"past": {(*reader).readPast, true}, "ahead": {(*reader).readAhead, true},
	}
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

// readAgo reads "3 weeks ago", and with the meaning "ago exact" the same day of that week.
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
	switch n, unit := f.amount(); unit {
	case 1:
		return r.counted(n)
	default:
		return r.relative(r.unit(unit, n))
	}
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
	days := r.length(f)
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

// length returns the days of a number of units, or of a few.
func (r *reader) length(f *found) int {
	n, unit := f.amount()
	if n == 0 {
		return few[unit]
	}
	return n * unit
}

// spansOf returns the readings of a time in a match.
func (r *reader) spansOf(c capture) []Span {
	if len(c.mention.date) == 0 {
		return c.mention.spans
	}
	return r.complete(c.date, c.at)
}

// complete returns the readings of a date, which may lack its year.
func (r *reader) complete(d partialDate, at int) (spans []Span) {
	for _, date := range d.years(r.now, r.tenseAt(at)) {
		spans = append(spans, date.span(r.now.Location()))
	}
	return spans
}

// readThird reads a third of a month, a week or a year: "mid-October", "the end of the month".
func (r *reader) readThird(f *found) (m mention) {
	var periods, spans []Span
	if c, ok := f.get("date", "time"); ok && c.date.day == 0 {
		periods = r.spansOf(c)
	} else if c, ok := f.get("unit"); ok {
		periods = []Span{r.unit(c.value, 0)}
	} else if c, ok := f.get("month", "month after", "month beside"); ok {
		year, _ := f.get("year")
		periods = r.complete(partialDate{month: time.Month(c.value), year: year.value}, c.at)
	}
	for _, s := range periods {
		if s.IsSet() && !s.IsWithin(daysInWeek-1) {
			spans = append(spans, third(s, f.values[0]))
		}
	}
	return r.part(spans)
}

// readNth reads a part of a month that is counted: "the second week of November", "the first
// Friday in May".
func (r *reader) readNth(f *found) mention {
	nth, _ := f.get("ordinal")
	count, hasCount := f.get("n")
	period, _ := f.get("time", "date")
	what, _ := f.get("unit", "plural unit", "weekday")
	var spans []Span
	for _, month := range r.spansOf(period) {
		s := nthOf(month, nth.value, max(1, count.value), what)
		if month.isMonth() && s.From.Before(month.To) && s.IsWithin(28) && hasCount == (what.class == "plural unit") {
			spans = append(spans, s)
		}
	}
	return r.part(spans)
}

// nthOf returns the n-th part of a month. The last one is -1.
func nthOf(month Span, nth, count int, what capture) Span {
	day, isWeekday, length := time.Weekday(what.value), what.class == "weekday", what.value*count
	switch {
	case isWeekday:
		length = 1
	case what.value == weekend:
		day, isWeekday = time.Saturday, true
	}
	switch {
	case isWeekday && nth < 0:
		return daysFrom(weekdayOf(month.To, day, false).From, 0, length)
	case isWeekday:
		return daysFrom(weekdayOf(month.From.AddDate(0, 0, -1), day, true).From, daysInWeek*(nth-1), length)
	case nth < 0:
		return daysFrom(month.To, -length, length)
	}
	return daysFrom(month.From, (nth-1)*length, length)
}

// readPart reads half of a month or a year, or a quarter: "the first half of October", "Q3". Its value
// is the number of parts.
func (r *reader) readPart(f *found) mention {
	of := f.values[0]
	c, _ := f.get("ordinal", "n")
	number := c.value
	if number < 0 {
		number = of
	}
	return r.readInYear(f, func(s Span) (Span, bool) {
		isPart := number <= of && (s.isYear() || of == 2 && s.isMonth())
		if !isPart {
			return Span{}, false
		}
		return partOf(s, number, of), true
	})
}

// readWeek reads "KW 46".
func (r *reader) readWeek(f *found) mention {
	c, _ := f.get("n")
	return r.readInYear(f, func(s Span) (Span, bool) {
		if !s.isYear() {
			return Span{}, false
		}
		return weekOf(s, c.value)
	})
}

// readInYear reads a part of a year that is named, or else of the latest and the coming one that have it.
// The tense may tell which. A rule with a second value needs the year.
func (r *reader) readInYear(f *found, in func(Span) (Span, bool)) mention {
	var spans []Span
	if c, ok := f.get("time", "date"); ok {
		for _, s := range r.spansOf(c) {
			if part, ok := in(s); ok {
				spans = append(spans, part)
			}
		}
		return r.part(spans)
	}
	latest, coming, isNear := yearsAround(r.now, in)
	switch when := r.tenseAt(f.from)(); {
	case !latest.IsSet() || !coming.IsSet():
		return mention{}
	case when == futureTense:
		spans = []Span{coming}
	case when == pastTense || !isNear:
		spans = []Span{latest}
	default:
		spans = []Span{latest, coming}
	}
	return r.part(spans)
}

// readWithin reads a time beside a longer one that is relative to now: "Friday last week",
// "the 5th of last month", "March this year".
func (r *reader) readWithin(f *found) mention {
	period, _ := f.get("time")
	if period.mention == nil || !period.mention.isRelative || len(period.mention.spans) != 1 {
		return mention{}
	}
	s, picked := period.mention.spans[0], Span{}
	if c, ok := f.get("date"); ok {
		if c.date.month == 0 || c.date.year > 0 || !s.isYear() {
			return mention{}
		}
		c.date.year = s.From.Year()
		return mention{date: []partialDate{c.date}}
	} else if c, ok := f.get("weekday"); ok && s.IsWithin(daysInWeek) && !s.IsWithin(daysInWeek-1) {
		picked = daysFrom(s.From, inWeek(time.Weekday(c.value)), 1)
	} else if c, ok := f.get("day", "ordinal day"); ok && s.isMonth() {
		picked = daysFrom(s.From, c.value-1, 1)
	}
	if !picked.IsSet() || !s.Covers(picked) {
		return mention{}
	}
	m := newMention(picked)
	m.isRelative = true
	return m
}

// readDate reads a date with or without its month and its year. With a weekday before it, the
// date counts.
func (r *reader) readDate(f *found) mention {
	var d partialDate
	for _, c := range f.captures {
		switch c.class {
		case "figures", "date":
			d = c.date
		case "month", "month after", "month beside":
			d.month = time.Month(c.value)
		case "day", "ordinal day":
			d.day = c.value
		case "year":
			d.year = c.value
		case "n":
			d.month = time.Month(c.value) // in scripts that count them
		}
	}
	if d.month > 12 || d.day > 0 && !d.exists() || len(f.captures) == 1 && f.captures[0].class == "month after" && !r.isExpected(f.from, "before month") {
		return mention{}
	}
	if _, hasWeekday := f.get("weekday", "weekday short"); hasWeekday && d.day == 0 || d == (partialDate{}) {
		return mention{}
	}
	return mention{date: d.readings()}
}

// readList reads "3 and 5 November".
func (r *reader) readList(f *found) mention {
	first, _ := f.get("day")
	second, _ := f.get("date")
	if second.date.day == 0 || second.date.inFigures {
		return mention{}
	}
	d := second.date
	if d.day = first.value; !d.exists() {
		return mention{}
	}
	return mention{date: []partialDate{d, second.date}}
}

// isExpected reports whether a date is expected at a token: after a relation, a word of a class, or a weekday.
func (r *reader) isExpected(at int, class string) bool {
	if at == 0 || r.tokens[at].startsClause && !r.grammar.isAny(r.tokens[at-1].lower, "weekday", "weekday short") {
		return at == r.expected
	}
	return at == r.expected || r.grammar.isAny(r.tokens[at-1].lower, class, "weekday", "weekday short")
}
