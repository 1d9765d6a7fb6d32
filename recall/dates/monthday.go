package dates

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

var (
	// ordinalArticles lists the words before "20th" as a day, dayArticles those before
	// "20" in German, Spanish and French.
	ordinalArticles = language.WordSet("on the since until till before after by from to and between")
	dayArticles     = language.WordSet("am vom zum den dem le du au el del al día jusqu'au")

	// onlyInRelations lists those of dayArticles that name a day only after a relation or
	// a weekday.
	onlyInRelations = language.WordSet("vom den dem du au del al jusqu'au")

	// noDayOf lists the words after a day of every month, and after no day.
	noDayOf = language.WordSet("of jedes jeden des de por du d'")
)

// isDayOfMonth reports whether tokens begin with a day without its month: "20th", "20.".
func isDayOfMonth(tokens []token) bool {
	t := tokens[0]
	if parseDay(t.lower) == 0 || len(tokens) > 1 && !t.endsClause && noDayOf[tokens[1].lower] {
		return false
	}
	isGermanDay := strings.HasSuffix(t.field, ".") || t.previous == "am"
	return isPhraseEnd(tokens, 1, isGermanDay)
}

// parseDayOfMonth reads "the 20th", "dem 20.", "le 20" at the beginning of tokens, to which
// a relation refers.
func parseDayOfMonth(tokens []token) (day, n int) {
	for n < len(tokens)-1 && dateFillers[tokens[n].lower] && !tokens[n].endsClause {
		n++
	}
	t := tokens[n]
	isNamed := t.weekday != nil || dayArticles[t.previous] || language.IsOrdinal(t.lower) && ordinalArticles[t.previous]
	if !isNamed || !isDayOfMonth(tokens[n:]) {
		return 0, 0
	}
	return parseDay(t.lower), n + 1
}

// dayOfMonthAt reads a day without its month: "on the 20th", "am 20.", "le 20". It may be
// in a month that is named beside it: "the 5th of last month".
func (r *reader) dayOfMonthAt(i int) mention {
	t := r.tokens[i]
	if t.lower == "" || !isDigit(t.lower[0]) {
		return mention{}
	}
	day := parseDay(t.lower)
	before := "" // the word before the article
	if i > 0 {
		before = r.tokens[i-1].previous
	}
	isNamed := t.weekday != nil || dayArticles[t.previous] && !onlyInRelations[t.previous] && before != "i" ||
		language.IsOrdinal(t.lower) && (t.previous == "on" || t.previous == "the" && beforeOrdinal[before])
	if !isNamed || day == 0 {
		return mention{}
	}
	m := r.narrow(i, i+1, func(s Span) Span { return calendar.Days(s.From, day-1, 1) }, 31)
	if m.to == 0 && isDayOfMonth(r.tokens[i:]) && r.asksAt(i) {
		spans := daysOfMonth(calendar.StartOfDay(r.now), day, r.tenseAt(i))
		if onWeekday := func(s Span) bool { return t.weekday != nil && s.From.Weekday() == *t.weekday }; slices.ContainsFunc(spans, onWeekday) {
			spans = slices.DeleteFunc(spans, func(s Span) bool { return !onWeekday(s) })
		}
		m = mention{from: i, to: i + 1, spans: spans, whole: spans, relative: true}
	}
	return m
}

// beforeOrdinal lists the words before "the 20th" as a day.
var beforeOrdinal = language.WordSet("on for by about till happened")

// daysOfMonth returns the latest such day of a month and the coming one, or one of them if
// the tense tells which.
func daysOfMonth(today time.Time, day int, when func() tense) []Span {
	latest, coming := calendar.DayOfMonth(today, day, false), calendar.DayOfMonth(today, day, true)
	switch when() {
	case pastTense:
		return []Span{latest}
	case futureTense:
		return []Span{coming}
	}
	return []Span{latest, coming}
}

// parseDayRange reads two days without a month: "the 3rd and the 5th", "3. bis 5.".
func parseDayRange(tokens []token, now time.Time, when func() tense) (spans []Span, n int) {
	first, n := parseDayOfMonth(tokens)
	if n == 0 { // the article may be part of the relation, and only the second day have a mark
		if first = parseDay(tokens[0].lower); first == 0 || !strings.HasSuffix(tokens[0].field, ".") {
			return nil, 0
		}
		n = 1
	}
	if n+1 >= len(tokens) || !rangeWords[tokens[n].lower] && !listWords[tokens[n].lower] {
		return nil, 0
	}
	last, m := parseDayOfMonth(tokens[n+1:])
	if m == 0 && strings.HasSuffix(tokens[n+1].field, ".") && isDayOfMonth(tokens[n+1:]) {
		last, m = parseDay(tokens[n+1].lower), 1
	}
	if m == 0 || last <= first {
		return nil, 0
	}
	for _, s := range daysOfMonth(calendar.StartOfDay(now), last, when) {
		spans = append(spans, Span{From: s.From.AddDate(0, 0, first-last), To: s.To})
	}
	return spans, n + 1 + m
}
