package dates

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// Read finds the times in a question: relations to dates and events, relative dates,
// ranges and dates. now is in the workspace's time zone.
func Read(text string, now time.Time) (d Named) {
	r := newReader(text, now)
	r.readRelative(&d)
	d.Relative = len(r.relative) > 0
	r.readRelations(&d)
	for i := 0; i < len(r.tokens); i++ {
		if r.dated[i] {
			continue
		}
		m := r.mentionAt(i)
		if m.to > i {
			r.use(m)
			d.add(m)
			d.Relative = d.Relative || m.relative
			i = m.to - 1
		}
	}
	for _, m := range r.relative {
		if !d.confirmYear(m) {
			d.add(m)
		}
	}
	d.inheritYear(now.Location())
	if slices.ContainsFunc(d.dates, func(date partialDate) bool { return date.Year == 0 }) {
		if _, to := r.sentenceAt(0); to == len(r.tokens) {
			d.tense = tenseOf(r.tokens)
		}
	}
	d.Rest, d.Words = r.rest(text)
	return d
}

// reader reads the times of one question.
type reader struct {
	tokens         []token
	now            time.Time
	relative       []mention
	dated, removed []bool // the tokens that belong to a time, and those that describe no memory
}

func newReader(text string, now time.Time) *reader {
	tokens := joinWeekdays(tokenise(text))
	return &reader{tokens: tokens, now: now, removed: make([]bool, len(tokens)), dated: make([]bool, len(tokens))}
}

// readRelative finds the parts of months and the relative dates first. "The last 3 days of
// October" is not relative, and "the day before yesterday" is no relation.
func (r *reader) readRelative(d *Named) {
	for i := range r.tokens {
		for _, read := range []func(int) mention{r.nthAt, r.yearPartAt} {
			if m := read(i); m.to > 0 && !r.dated[i] {
				r.use(m)
				d.add(m)
			}
		}
	}
	for _, m := range relativeMentions(lowerWords(r.tokens), calendar.StartOfDay(r.now)) {
		if m.from == m.to || !r.dated[m.from] {
			r.relative = append(r.relative, m)
			r.use(m)
		}
	}
}

// readRelations reads the relations to dates, and the first one to an event.
func (r *reader) readRelations(d *Named) {
	for i := range r.tokens {
		if r.dated[i] {
			continue
		}
		if span, n := r.weekdayRange(i, false); n > 0 {
			d.add(mention{spans: []Span{span}, whole: []Span{span}})
			if i > 0 && rangeStarts[r.tokens[i-1].lower] {
				i, n = i-1, n+1
			}
			r.use(mention{from: i, to: i + n})
			continue
		}
		spans, from, to := r.parseDateReference(i)
		switch {
		case to > 0:
			d.Spans = append(d.Spans, spans...)
			d.whole = append(d.whole, spans...)
			if from < to {
				r.use(mention{from: i, to: to})
				r.useUp(from, to)
			}
		case d.Event == nil:
			d.Event = parseEventReference(r.tokens, i)
		}
	}
}

// use marks the tokens of a time. Those of days and relative dates are removed from the
// question, with the preposition before them.
func (r *reader) use(m mention) {
	for i := m.from; i < min(m.to, len(r.tokens)); i++ {
		r.dated[i], r.removed[i] = true, !m.kept && (len(m.date) == 0 || m.date[0].Day > 0)
	}
	for i := m.from - 1; i >= 0 && m.to > m.from && r.removed[m.from] && dateFillers[r.tokens[i].lower] && !r.tokens[i].endsClause; i-- {
		r.removed[i] = true
	}
}

// useUp removes the relative dates that are a part of another time.
func (r *reader) useUp(from, to int) {
	r.relative = slices.DeleteFunc(r.relative, func(m mention) bool { return from <= m.from && m.from < to })
}

// mentionAt reads the time that begins at a token, or whose day is the token. Its last
// token is before m.to.
func (r *reader) mentionAt(i int) mention {
	if spans, n := parsePart(r.tokens[i:], r.now, r.tenseAt(i)); n > 0 {
		r.useUp(i, i+n)
		return mention{from: i, to: i + n, kept: isPartKept(spans[0], r.now), spans: spans, whole: spans}
	}
	if m := r.dateAt(i); m.to > i {
		if m.to < len(r.tokens) && isLastOf(r.tokens[m.to:], 1) {
			if _, ok := dateWeekday(r.tokens[m.to]); ok { // 20 November (Friday)
				m.to++
			}
		}
		return m
	}
	if m := r.dayOfMonthAt(i); m.to > 0 {
		return m
	}
	return r.weekdayAt(i)
}

// dateAt reads the dates that begin at a token.
func (r *reader) dateAt(i int) (m mention) {
	end := i + 1
	for end < len(r.tokens) && !r.dated[end] {
		end++
	}
	tokens := r.tokens[i:end]
	if span, n := parseDateRange(tokens, false); n > 0 {
		m = mention{from: i, to: i + n}
		if span.isList {
			m.date = []partialDate{span.from, span.to}
			return m
		}
		m.spans = span.spans(r.now, r.tenseAt(i))
		m.whole = m.spans
		return m
	}
	d, n := parseDate(tokens, false)
	m = mention{from: i, to: i + n, date: d.readings()}
	if d.inFigures && d.Day > 0 && d.Year > 0 { // it names that day, and not its month
		for _, day := range m.date {
			m.spans = append(m.spans, day.Span(r.now.Location()))
		}
		m.date, m.whole = nil, m.spans
	}
	return m
}

// add adds a time to those of a question.
func (d *Named) add(m mention) {
	d.Spans, d.whole = append(d.Spans, m.spans...), append(d.whole, m.whole...)
	for _, date := range m.date {
		if !slices.Contains(d.dates, date) {
			d.dates = append(d.dates, date)
		}
	}
}

// confirmYear gives the year of a relative date ("this year") to the dates without one. It
// reports whether there were any: the relative date is no time of its own then.
func (d *Named) confirmYear(m mention) (confirmed bool) {
	if len(m.spans) != 1 || m.spans[0] != calendar.Year(m.spans[0].From, 0) {
		return false
	}
	for i := range d.dates {
		if d.dates[i].Month > 0 && d.dates[i].Year == 0 {
			d.dates[i].Year, confirmed = m.spans[0].From.Year(), true
		}
	}
	return confirmed
}

// inheritYear gives a year that is named apart to the dates without one. Else it is a
// span of its own.
func (d *Named) inheritYear(zone *time.Location) {
	isAlone := func(date partialDate) bool { return date.Month == 0 }
	for _, year := range slices.Clone(d.dates) {
		if !isAlone(year) {
			continue
		}
		taken := false
		for i := range d.dates {
			if d.dates[i].Month > 0 && (d.dates[i].Year == 0 || taken && d.dates[i].Year == year.Year) {
				d.dates[i].Year, taken = year.Year, true
			}
		}
		if !taken {
			d.Spans = append(d.Spans, year.Span(zone))
			d.whole = append(d.whole, year.Span(zone))
		}
	}
	d.dates = slices.DeleteFunc(d.dates, isAlone)
}

// rest returns the question without its days and relative dates, and its words that
// name no time. Punctuation stays. Of a long text, which is pasted, nothing is removed.
func (r *reader) rest(text string) (rest string, words []string) {
	var kept []string
	changed := false
	for i, t := range r.tokens {
		cut := withoutCJKDates(t.lower)
		switch {
		case r.removed[i]:
			changed = true
			if mark := t.field[max(0, len(t.field)-1):]; len(kept) > 0 && strings.ContainsAny(mark, "?,;:") {
				kept[len(kept)-1] += mark
			}
		case cut != t.lower:
			kept, changed = append(kept, cut), true
		case t.field != "":
			kept = append(kept, t.field)
		}
		if !r.dated[i] {
			words = append(words, language.SplitWords(cut)...)
		}
	}
	if !changed || len(r.tokens) > maxQuestionWords {
		return text, words
	}
	return strings.Join(kept, " "), words
}
