package dates

import (
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

var (
	// weekdayNumbers maps the names of weekdays, also those with a part of the day in
	// German: freitagabend.
	weekdayNumbers = map[string]time.Weekday{}

	// shortWeekdays maps the short forms, which count only before a date: "Fri, 20 Nov".
	shortWeekdays = map[string]time.Weekday{}
)

func init() {
	for day, w := range weekdays {
		weekday := time.Weekday(day)
		for _, name := range []string{w.en, w.es, w.fr} {
			weekdayNumbers[name] = weekday
		}
		for name := range strings.SplitSeq(w.de, "|") {
			weekdayNumbers[name] = weekday
			for _, part := range strings.Fields("morgen früh vormittag mittag nachmittag abend nacht") {
				weekdayNumbers[name+part] = weekday
			}
		}
	}
	for _, names := range []string{"sun mon tue wed thu fri sat", "so mo di mi do fr sa", "dom lun mar mié jue vie sáb", "dim lun mar mer jeu ven sam"} {
		for day, name := range strings.Fields(names) {
			shortWeekdays[name] = time.Weekday(day)
		}
	}
	shortWeekdays["tues"], shortWeekdays["thur"], shortWeekdays["thurs"] = time.Tuesday, time.Thursday, time.Thursday
}

// weekdayBefore lists words that make a time of the weekday after them, and habitWords
// those that make a habit of it.
var (
	weekdayBefore = language.WordSet("last past next coming this letzten letzter vorigen nächsten nächster kommenden diesen este próximo ce")
	habitWords    = language.WordSet("every each most any all jeden jeder jedem cada chaque tous")
	planBefore    = language.WordSet("for by für bis para pour")
	partsOfDay    = language.WordSet("morning noon afternoon evening night morgen früh vormittag mittag nachmittag abend nacht matin midi après-midi soir")
	weekendWords  = language.WordSet("weekend week-end wochenende")
	articles      = language.WordSet("the der den dem le el on am")
	phraseStarts  = language.WordSet("con on pour chez sin y y/o hay era") // stop words in one language alone
)

// joinWeekdays removes the weekdays that belong to the date after them: "Friday, 20
// November", "Freitag, den 20.11.", "Friday the 20th". The date needs no preposition then.
func joinWeekdays(tokens []token) []token {
	for i := 0; i+1 < len(tokens); i++ {
		if _, ok := dateWeekday(tokens[i]); !ok || weekdayBefore[tokens[i].previous] {
			continue
		}
		next := i + 1
		for next+1 < len(tokens) && next <= i+2 && articles[tokens[next].lower] && !tokens[next].endsClause {
			next++
		}
		previous := tokens[next].previous
		tokens[next].previous = "on"
		d, n := parseDate(tokens[next:], true)
		isDate := n > 0 && d.Day > 0
		if !isDate && isDayOfMonth(tokens[next:]) && (next > i+1 || isLastOf(tokens[next:], 1)) {
			weekday, _ := dateWeekday(tokens[i])
			isDate, tokens[next].weekday = true, &weekday
		}
		if !isDate {
			tokens[next].previous = previous
			continue
		}
		tokens = append(tokens[:i], tokens[i+1:]...)
	}
	return tokens
}

// dateWeekday reads a token that may be the weekday of a date. A short form is written with
// a capital letter, or a mark follows: "so 20" is none.
func dateWeekday(t token) (day time.Weekday, ok bool) {
	if day, ok = weekdayNumbers[t.lower]; ok {
		return day, true
	}
	if day, ok = shortWeekdays[t.lower]; !ok {
		return 0, false
	}
	marked := strings.ContainsAny(t.field[max(0, len(t.field)-1):], ".,)")
	return day, marked || len(t.lower) > len("so") && unicode.IsUpper(language.FirstRune(t.text))
}

// weekdayAt reads a weekday or a weekend without a date. In a question about what happened
// it is the latest, and the coming one in a question about a plan. Else it may be a habit,
// and names no time.
func (r *reader) weekdayAt(i int) mention {
	t := r.tokens[i]
	day, ok := weekdayNumbers[t.lower]
	if !ok && !weekendWords[t.lower] && t.lower != "fin" {
		return mention{}
	}
	today := calendar.StartOfDay(r.now)
	if ok {
		if m := r.narrow(i, i+1, func(s Span) Span { return calendar.Days(s.From, (int(day)+6)%7, 1) }, 7); m.to > 0 {
			return m
		}
	}
	from, end := i, i+1
	switch {
	case ok && r.startsWeekday(i):
		for end < len(r.tokens) && !r.tokens[end-1].endsClause && partsOfDay[r.tokens[end].lower] {
			end++
		}
		if strings.HasPrefix(joinLower(r.tokens[end:min(len(r.tokens), end+3)]), "por la ") {
			end += 3
		}
	case weekendWords[t.lower] && (weekendStarts[t.previous] || t.previous == "the" && weekendStarts[r.tokens[i-1].previous]):
		from--
	case t.lower == "fin" && t.previous == "el" && joinLower(r.tokens[i:min(len(r.tokens), i+3)]) == "fin de semana":
		from, end, ok = i-1, i+3, false
	default:
		return mention{}
	}
	if !r.asksAt(i) || !isPhraseEnd(r.tokens, end, isGerman(r.tokens)) || end < len(r.tokens) && r.tokens[end].lower == "of" {
		return mention{}
	}
	when := r.tenseAt(i)()
	if when == unknownTense && (planBefore[t.previous] || i > 1 && planBefore[r.tokens[i-1].previous]) {
		when = futureTense
	}
	if when != pastTense && when != futureTense {
		return mention{}
	}
	span := calendar.Weekend(today, when == futureTense)
	if ok {
		span = calendar.Weekday(today, day, when == futureTense)
	}
	return mention{from: from, to: end, spans: []Span{span}, whole: []Span{span}, relative: true}
}

// startsWeekday reports whether a weekday at i is a time of its own. It is one at the
// beginning, and after a stop word or a verb: "on Friday", "done Friday". Determiners and
// adjectives make it another thing: "Black Friday", "my Friday".
func (r *reader) startsWeekday(i int) bool {
	previous := r.tokens[i].previous
	switch {
	case previous == "" || previous == "el" || previous == "dem" || previous == "den":
		return true
	case habitWords[previous], determiners[previous]:
		return false
	}
	return language.IsStopWord(previous) || phraseStarts[previous] || pastVerbs[previous] || pastParticiples[previous] || frenchParticiples[previous] ||
		hasPastEnding(previous) || planWords[previous] || pronouns[r.tokens[i-1].previous]
}

// pronouns lists subjects, after which the verb comes: "did I eat Friday".
var pronouns = language.WordSet("i we you he she they")

// weekendStarts lists the words before a weekend that name one alone.
var weekendStarts = language.WordSet("on over at for of during am übers das dem le el für")

// parseAnchorWeekday reads a weekday to which a relation refers: "since Monday".
func parseAnchorWeekday(tokens []token, now time.Time, when tense) (Span, int) {
	n := 0
	if anchorArticles[tokens[0].lower] && len(tokens) > 1 {
		n++
	}
	day, ok := weekdayNumbers[tokens[n].lower]
	if !ok {
		return Span{}, 0
	}
	for n++; n < len(tokens) && !tokens[n-1].endsClause && partsOfDay[tokens[n].lower]; n++ {
	}
	return calendar.Weekday(calendar.StartOfDay(now), day, when == futureTense), n
}

// weekdayRange reads "Monday to Wednesday" at a token, and after "between" also "Monday
// and Wednesday". n is the number of its tokens. A range of a habit ("open Monday to
// Friday") names no time.
func (r *reader) weekdayRange(i int, between bool) (span Span, n int) {
	if i+2 >= len(r.tokens) || r.tokens[i].endsClause {
		return Span{}, 0
	}
	first, isFirst := weekdayNumbers[r.tokens[i].lower]
	word := r.tokens[i+1].lower
	last, isLast := weekdayNumbers[r.tokens[i+2].lower]
	if !isFirst || !isLast || first == last || !rangeWords[word] && !(between && listWords[word]) || !r.asksAt(i) {
		return Span{}, 0
	}
	const week = 7
	days := int(last-first+week) % week
	switch today := calendar.StartOfDay(r.now); r.tenseAt(i)() {
	case pastTense:
		end := calendar.Weekday(today, last, false)
		return Span{From: end.From.AddDate(0, 0, -days), To: end.To}, 3
	case futureTense:
		start := calendar.Weekday(today, first, true)
		return Span{From: start.From, To: start.To.AddDate(0, 0, days)}, 3
	}
	return Span{}, 0
}

// anchorArticles lists the articles of such a weekday.
var anchorArticles = language.WordSet("dem den el le zum")

// narrow reads a time beside a longer one that is relative to now: "Friday last week",
// "letzte Woche am Freitag", "the 5th of last month". pick returns it for the longer one,
// which has at least some days. It returns an empty mention if there is none.
func (r *reader) narrow(from, to int, pick func(Span) Span, days int) mention {
	before, after := from, to
	for before > 0 && narrowWords[r.tokens[before-1].lower] && !r.dated[before-1] {
		before--
	}
	for after < len(r.tokens) && narrowWords[r.tokens[after].lower] && !r.dated[after] {
		after++
	}
	for k, m := range r.relative {
		s := m.spans[0]
		if m.to != before && m.from != after || len(m.spans) != 1 || !s.IsWithin(days) || s.IsWithin(days-4) {
			continue
		}
		picked := pick(s)
		if !s.Covers(picked) {
			continue
		}
		r.relative = append(r.relative[:k:k], r.relative[k+1:]...)
		spans := []Span{picked}
		return mention{from: min(from, m.from), to: max(to, m.to), spans: spans, whole: spans, relative: true}
	}
	return mention{}
}

// narrowWords lists the words between a day and the longer time that it is in.
var narrowWords = language.WordSet("of in on the am der des de du la le el")

// isPhraseEnd reports whether a time ends before token i. It does not if it belongs to a
// noun that follows: "on Friday releases", "on the 20th floor".
func isPhraseEnd(tokens []token, i int, german bool) bool {
	if i >= len(tokens) || tokens[i-1].endsClause {
		return true
	}
	next := tokens[i]
	return language.IsStopWord(next.lower) || phraseStarts[next.lower] || german && !unicode.IsUpper(language.FirstRune(next.text))
}

// isLastOf reports whether the clause of tokens ends after n of them.
func isLastOf(tokens []token, n int) bool { return len(tokens) <= n || tokens[n-1].endsClause }

func joinLower(tokens []token) string { return strings.Join(lowerWords(tokens), " ") }
