package dates

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/lang"
)

// Named holds the times that a question names.
type Named struct {
	dates []partialDate // days and months; some lack their year
	Spans []Span        // all others; one of a day names that day
	whole []Span
	tense tense // read if a date lacks its year

	// Relative tells that a time is relative to now: "last week".
	Relative bool

	// Rest is the question without its days and relative dates, which describe no
	// memory. Its months and years are left.
	Rest string

	// Words lists the words, in lower case, that name no time.
	Words []string
}

// reader reads the times of one text.
type reader struct {
	grammar    *grammar
	text       string
	tokens     []token
	now, today time.Time
	expected   int // the token at which a date is expected; -1: none
	memo       map[nestedKey]*mention

	isAnchor    bool // it reads the date to which a relation refers
	anchorTense tense
}

func newReader(text string, now time.Time) *reader {
	g := tables()
	return &reader{grammar: g, text: text, tokens: g.tokenise(text), now: now, today: startOfDay(now), expected: -1, memo: map[nestedKey]*mention{}}
}

// goesOn reports whether a token belongs to the clause of the one before it.
func (r *reader) goesOn(at int) bool {
	return at > 0 && at < len(r.tokens) && !r.tokens[at-1].endsClause
}

// isUpper reports whether a token begins with a capital letter.
func (r *reader) isUpper(at int) bool { return unicode.IsUpper(lang.FirstRune(r.tokens[at].text)) }

// is reports whether a token is a word of one of some classes in any language.
func (r *reader) is(at int, classes ...string) bool {
	return at >= 0 && at < len(r.tokens) && r.grammar.isAny(r.tokens[at].lower, classes...)
}

// mentionAt reads the longest time that begins at a token.
func (r *reader) mentionAt(at int) (m mention, ok bool) {
	for _, f := range r.matches(at, nil) {
		if f.isAnchor || r.isOtherWord(f) {
			continue
		}
		if m = meanings[f.meaning].read(r, &f); m.isSet() {
			m.from, m.to, m.isShift = f.from, f.to, meanings[f.meaning].isRelative
			if len(m.date) > 0 && m.date[0].day > 0 && r.isWeekdayAtEnd(m.to) {
				m.to++ // 20 November (Friday)
			}
			return m, true
		}
	}
	return mention{}, false
}

// isWeekdayAtEnd reports whether a clause goes on with a weekday at a token, and ends there.
func (r *reader) isWeekdayAtEnd(at int) bool {
	isWeekday := r.is(at, "weekday") || r.is(at, "weekday short") && r.isShortWeekday(at)
	return isWeekday && r.goesOn(at) && !r.goesOn(at+1)
}

// isOtherWord reports whether a match is a word that means something else in the language of the
// sentence.
// The French "hier" is yesterday, the German one is here.
func (r *reader) isOtherWord(f found) bool {
	if f.to > f.from+1 || f.language < 0 || !r.is(f.from, "other word") {
		return false
	}
	from, to := r.sentenceAt(f.from)
	counts := r.languageCounts(from, to)
	return slices.Max(counts) > counts[f.language]
}

// Read finds the times in a question: relations to dates, relative dates,
// ranges and dates. now is in the workspace's time zone.
func Read(text string, now time.Time) (d Named) {
	r := newReader(text, now)
	dated, removed := make([]bool, len(r.tokens)), make([]bool, len(r.tokens))
	for i := 0; i < len(r.tokens); i++ {
		m, ok := r.mentionAt(i)
		if !ok {
			m, ok = r.readRelation(i)
		}
		if ok && !m.isNone {
			d.add(m)
			r.use(m, dated, removed)
		}
		i = max(i, m.to-1)
	}
	if slices.ContainsFunc(d.dates, func(date partialDate) bool { return date.year == 0 }) {
		if _, to := r.sentenceAt(0); to == len(r.tokens) {
			d.tense = r.tenseAt(0)()
		}
	}
	d.spansOfFull(now.Location())
	d.Rest, d.Words = r.rest(dated, removed)
	return d
}

// add adds a time to those of a question. A day in figures with its year is that day alone.
func (d *Named) add(m mention) {
	d.Relative = d.Relative || m.isRelative
	d.Spans, d.whole = append(d.Spans, m.spans...), append(d.whole, m.whole...)
	for _, date := range m.date {
		if !slices.Contains(d.dates, date) {
			d.dates = append(d.dates, date)
		}
	}
}

// use marks the tokens of a time. Those of days and relative dates are removed from the
// question, with the preposition before them.
func (r *reader) use(m mention, dated, removed []bool) {
	isRemoved := !m.kept && (len(m.date) == 0 || m.date[0].day > 0)
	for i := m.from; i < m.to; i++ {
		dated[i], removed[i] = true, isRemoved
	}
	for i := m.from - 1; i >= 0 && m.to > m.from && r.is(i, "filler") && !r.tokens[i].endsClause; i-- {
		dated[i], removed[i] = true, isRemoved
	}
}

// spansOfFull makes spans of the years, and of the days in figures: those name that day, and not
// its month.
func (d *Named) spansOfFull(zone *time.Location) {
	isFull := func(date partialDate) bool {
		return date.month == 0 || date.inFigures && date.day > 0 && date.year > 0
	}
	for _, date := range d.dates {
		if isFull(date) {
			d.Spans, d.whole = append(d.Spans, date.span(zone)), append(d.whole, date.span(zone))
		}
	}
	d.dates = slices.DeleteFunc(d.dates, isFull)
}

// rest returns the question without its removed tokens, and its words that
// name no time. Punctuation stays. Of a long text, which is pasted, nothing is removed.
func (r *reader) rest(dated, removed []bool) (rest string, words []string) {
	if len(r.tokens) == 0 {
		return r.text, lang.SplitWords(strings.ToLower(r.text))
	}
	var kept, undated strings.Builder
	end, undatedEnd := 0, 0
	for i, t := range r.tokens {
		if removed[i] {
			if i == 0 || !removed[i-1] {
				kept.WriteString(r.text[end:t.from])
			}
			end = t.to
		}
		if dated[i] {
			undated.WriteString(r.text[undatedEnd:t.from] + " ")
			undatedEnd = t.to
		}
	}
	words = lang.SplitWords(strings.ToLower(undated.String() + r.text[undatedEnd:]))
	if end == 0 || len(r.tokens) > maxQuestionWords {
		return r.text, words
	}
	kept.WriteString(r.text[end:])
	rest = strings.Join(strings.Fields(kept.String()), " ")
	for _, mark := range []string{"?", "!", ",", ";", ":", "."} {
		rest = strings.ReplaceAll(rest, " "+mark, mark)
	}
	return strings.TrimSpace(rest), words
}

// IsSet reports whether the question names any time.
func (d Named) IsSet() bool { return len(d.dates) > 0 || len(d.Spans) > 0 }

// matchDate returns the signals "month" and "day" of a moment. They tell whether a
// named month or span contains it, and whether it is on a named day.
func (d Named) matchDate(at time.Time) (month, day float64) {
	for _, s := range d.Spans {
		if s.Contains(at) {
			month, day = 1, max(day, isOneDay(s))
		}
	}
	year, m, n := at.Date()
	for _, date := range d.dates {
		switch {
		case date.matches(year, m, n):
			month = 1
			if date.day > 0 {
				day = 1
			}
		case partialDate{month: date.month, year: date.year}.matches(year, m, n):
			month = 1
		}
	}
	return month, day
}

// Whole returns the times that a question means if it asks for nothing else. A date
// without a year is the latest, and the coming one if that is soon.
func (d Named) Whole(now time.Time) []Span {
	times := slices.Clone(d.whole)
	for _, date := range d.dates {
		for _, complete := range date.years(now, func() tense { return d.tense }) {
			times = append(times, complete.span(now.Location()))
		}
	}
	return times
}

// isOneDay returns 1 for a span of one day.
func isOneDay(s Span) float64 {
	if s.IsDay() {
		return 1
	}
	return 0
}
