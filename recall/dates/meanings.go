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

// part returns a mention of a part of a month or a year. Notes name a month, but seldom its part.
func (r *reader) part(spans []Span) mention {
	const halfMonth = 16 // days
	m := newMention(spans...)
	m.kept = len(spans) > 0 && r.isLong(spans[0], halfMonth)
	return m
}

// isLong reports whether a time is longer than some days and has begun.
func (r *reader) isLong(s Span, days int) bool { return !s.IsWithin(days) && !s.From.After(r.now) }

// meaning gives a match of a rule its time. The mention is not set if the match is no time.
type meaning struct {
	read       func(r *reader, f *found) mention
	isRelative bool // to now
}

// meanings has the meanings of rules by their names, which lang/dates.md explains.
var meanings map[string]*meaning

func init() {
	meanings = map[string]*meaning{
		"date":            {read: (*reader).readDate},
		"range":           {read: (*reader).readRange},
		"third":           {read: (*reader).readThird},
		"part":            {read: (*reader).readPart},
		"day-of-month":    {read: (*reader).readDayOfMonth},
		"weekday":         {read: (*reader).readWeekday},
		"weekend":         {read: (*reader).readWeekday},
		"none":            {func(*reader, *found) mention { return mention{isNone: true} }, true},
		"days":            {(*reader).readDays, true},
		"shift":           {(*reader).readShift, true},
		"coming":          {(*reader).readComing, true},
		"next":            {(*reader).readNext, true},
		"weekday-of-week": {(*reader).readWeekdayOfWeek, true},
		"ago":             {(*reader).readAgo, true},
		"few-ago":         {(*reader).readFewAgo, true},
		"in":              {(*reader).readIn, true},
		"past":            {(*reader).readPast, true},
		"ahead":           {(*reader).readAhead, true},
	}
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

// readPart reads half of a month or a year, or a quarter: "the first half of October", "Q3". Its value
// is the number of parts. Without a year it is the latest and the coming one; the tense may tell which.
func (r *reader) readPart(f *found) mention {
	of := f.values[0]
	c, _ := f.get("ordinal", "n")
	number := c.value
	if number < 0 {
		number = of
	}
	if number > of {
		return mention{}
	}
	var spans []Span
	if c, ok := f.get("time", "date"); ok {
		for _, s := range r.spansOf(c) {
			if s.isYear() || of == 2 && s.isMonth() {
				spans = append(spans, partOf(s, number, of))
			}
		}
		return r.part(spans)
	}
	latest, coming := partOf(yearOf(r.now, 0), number, of), partOf(yearOf(r.now, 0), number, of)
	if latest.From.After(r.now) {
		latest = partOf(yearOf(r.now, -1), number, of)
	} else if coming.IsOver(r.now) {
		coming = partOf(yearOf(r.now, 1), number, of)
	}
	const nearMonths = 3
	switch when := r.tenseAt(f.from)(); {
	case when == futureTense:
		return r.part([]Span{coming})
	case when == pastTense || coming == latest || coming.From.After(r.now.AddDate(0, nearMonths, 0)):
		return r.part([]Span{latest})
	}
	return r.part([]Span{latest, coming})
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
	isUncertain := len(f.captures) == 1 && f.captures[0].class == "month after" && !r.isExpected(f.from, "before month")
	if isUncertain || d.month > 12 || d.day > 0 && !d.exists() {
		return mention{}
	}
	if _, hasWeekday := f.get("weekday", "weekday short"); hasWeekday && d.day == 0 || d == (partialDate{}) {
		return mention{}
	}
	return mention{date: d.readings()}
}

// isExpected reports whether a date is expected at a token: after a relation, a word of a class, or a weekday.
func (r *reader) isExpected(at int, class string) bool {
	if at == 0 || r.tokens[at].startsClause && !r.grammar.isAny(r.tokens[at-1].lower, "weekday", "weekday short") {
		return at == r.expected
	}
	return at == r.expected || r.grammar.isAny(r.tokens[at-1].lower, class, "weekday", "weekday short")
}
