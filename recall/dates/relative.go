package dates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// relativeDate is an expression for a time relative to a day, usually today. n is the
// number in the expression, or 0.
type relativeDate struct {
	pattern *lazyregexp.Regexp
	span    func(today time.Time, n int) Span
	also    func(today time.Time) Span // what it may mean too; nil: nothing
	counted bool                       // in days, by a person who may be wrong by one
}

// weekdays lists the names from Sunday on.
var weekdays = [...]struct{ en, de, es, fr string }{
	{"sunday", "sonntag", "domingo", "dimanche"}, {"monday", "montag", "lunes", "lundi"}, {"tuesday", "dienstag", "martes", "mardi"},
	{"wednesday", "mittwoch", "miércoles", "mercredi"}, {"thursday", "donnerstag", "jueves", "jeudi"}, {"friday", "freitag", "viernes", "vendredi"},
	{"saturday", "samstag|sonnabend", "sábado", "samedi"},
}

func init() {
	for day, w := range weekdays {
		weekday := time.Weekday(day)
		latest := func(t time.Time, _ int) Span { return calendar.Days(t, -calendar.DaysSince(t, weekday), 1) }
		next := func(t time.Time, _ int) Span { return calendar.Days(t, calendar.DaysUntil(t, weekday), 1) }
		ofNextWeek := func(t time.Time) Span { return calendar.Days(calendar.StartOfWeek(t), 7+(day+6)%7, 1) }
		thisWeek := func(t time.Time, _ int) Span { return calendar.Days(calendar.StartOfWeek(t), (day+6)%7, 1) }
		coming := func(t time.Time) Span { // "this Monday" on a Friday
			if s := thisWeek(t, 0); !s.From.Before(t) {
				return s
			}
			return next(t, 0)
		}
		relativeDates = append(relativeDates,
			relativeDate{pattern: phrasePattern(`(?:last|past) ` + w.en + `|(?:letzte[nr]?|vorige[nr]?|vergangene[nr]?) (?:` + w.de + `)|(?:el )?` + w.es + ` pasado|` + w.fr + ` dernier`), span: latest},
			relativeDate{pattern: phrasePattern(`coming ` + w.en + `|kommende[nr]? (?:` + w.de + `)|el ` + w.es + ` que viene`), span: next},
			relativeDate{pattern: phrasePattern(`next ` + w.en + `|nächste[nr]? (?:` + w.de + `)|(?:el )?próximo ` + w.es + `|` + w.fr + ` prochain`), span: next, also: ofNextWeek},
			relativeDate{pattern: phrasePattern(`(?:the )?` + w.en + ` before last|(?:vorletzte[nr]?) (?:` + w.de + `)|(?:el )?` + w.es + ` antepasado|l'avant[- ]dernier ` + w.fr), span: func(t time.Time, _ int) Span { return latest(t.AddDate(0, 0, -7), 0) }},
			relativeDate{pattern: phrasePattern(`(?:the )?` + w.en + ` after next|übernächste[nr]? (?:` + w.de + `)`), span: func(t time.Time, _ int) Span { return next(t.AddDate(0, 0, 7), 0) }},
			relativeDate{pattern: phrasePattern(`(\d+) ` + w.en + `s? ago|vor (\d+) (?:` + w.de + `)(?:en)?|hace (\d+) ` + w.es + `|il y a (\d+) ` + w.fr + `s?`), span: func(t time.Time, n int) Span { return latest(t.AddDate(0, 0, 7-7*n), 0) }},
			relativeDate{pattern: phrasePattern(`this ` + w.en + `|diesen (?:` + w.de + `)|este ` + w.es + `|ce ` + w.fr), span: thisWeek, also: coming})
	}
	for day := range weekdays {
		zh, ja := [...]string{"(?:日|天)", "一", "二", "三", "四", "五", "六"}[day], [...]string{"日", "月", "火", "水", "木", "金", "土"}[day]
		for week, before := range []string{`上(?:个|個)?%` + zh + `|先週の?`, `这(?:个|個)?%` + zh + `|這(?:个|個)?%` + zh + `|本%` + zh + `|今週の?`, `下(?:个|個)?%` + zh + `|来週の?`} {
			pattern := strings.ReplaceAll(before, "%", "(?:周|週|星期|礼拜|禮拜)") + ja + "曜日?"
			cjkDates = append([]relativeDate{{pattern: lazyregexp.New(pattern), span: weeks(7*week-7+(day+6)%7, 1)}}, cjkDates...)
		}
	}
	for i, w := range monthPatterns() {
		month := time.Month(i + 1)
		relativeDates = append(relativeDates, namedPeriod(w, month, 1)...)
	}
	for i, w := range seasons {
		const spring = time.March
		relativeDates = append(relativeDates, namedPeriod(w, spring+time.Month(3*i), 3)...)
	}
}

// monthPatterns returns the names of each month as a pattern.
func monthPatterns() (patterns [12]string) {
	for name, month := range monthNumbers {
		if p := &patterns[month-1]; !shortMonths[name] {
			*p = strings.TrimPrefix(*p+"|"+name, "|")
		}
	}
	return patterns
}

// seasons lists the names of the seasons, of the northern half of the earth, from
// spring on.
var seasons = [...]string{"spring|frühling|frühjahr|primavera|printemps", "summer|sommer|verano|été", "autumn|fall|herbst|otoño|automne", "winter|invierno|hiver"}

// namedPeriod returns the expressions for the last, this and the next month or season of
// some names. It begins with a month and has n of them.
func namedPeriod(names string, first time.Month, n int) []relativeDate {
	yearly := calendar.Yearly{First: first, Months: n}
	last := func(t time.Time, _ int) Span { return yearly.Last(t) }
	this := func(t time.Time, _ int) Span { return yearly.This(t) }
	next := func(t time.Time, _ int) Span { return yearly.Next(t) }
	periods := []relativeDate{
		{pattern: phrasePattern(`(?:last|past) (?:` + names + `)|(?:letzte[nrs]?|vorige[nrs]?) (?:` + names + `)|(?:el |la )?(?:` + names + `) (?:pasad[oa]|dernière?)|l'(?:` + names + `) dernier`), span: last},
		{pattern: phrasePattern(`(?:next|coming) (?:` + names + `)|(?:nächste[nrs]?|kommende[nrs]?) (?:` + names + `)|(?:el |la )?próxim[oa] (?:` + names + `)|(?:` + names + `) prochaine?|l'(?:` + names + `) prochain`), span: next},
	}
	if n > 1 { // "this may" is often no month
		periods = append(periods, relativeDate{pattern: phrasePattern(`this (?:` + names + `)|diese[nrsm] (?:` + names + `)|est[ea] (?:` + names + `)|cet? (?:` + names + `)`), span: this})
	}
	return periods
}

// cjkNumbers replaces the numbers that are written as characters before a unit.
var cjkNumbers = strings.NewReplacer("一", "1", "二", "2", "两", "2", "兩", "2", "三", "3", "四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9", "十", "10")

// phrasePattern matches whole words of a text whose words are joined by one space.
func phrasePattern(pattern string) *lazyregexp.Regexp {
	return lazyregexp.New(beforePhrase + `(?:` + pattern + `)(?:$| )`)
}

// beforePhrase is what a phrasePattern begins with.
const beforePhrase = `(?:^| )`

// maxUnitsBack bounds the number of days, weeks or months in a question. No memory
// is older.
const maxUnitsBack = 5000

// surelyCounted is the number of days up to which a person counts without a mistake, as a
// rule.
const surelyCounted = 7

// longTime is the number of days of the longest time whose words leave the question. Most
// of what was written this year is no answer, and notes often have the words.
const longTime = 7

// mention is a time that a text names, and its words.
type mention struct {
	from, to int  // the first word, and the one after the last
	kept     bool // its words stay in the question
	relative bool // to now
	end      int  // of an expression in CJK: the offset in its word; 0: not known
	date     []partialDate
	spans    []Span // what it may mean, and matches a memory
	whole    []Span // what a question means that asks for nothing else, the likeliest first
}

// relativeMentions returns the relative dates in words, which are in lower case. A
// counted one has its day and the days beside it.
func relativeMentions(words []string, today time.Time) (found []mention) {
	relativePhrases().Each(joinWithNumbers(words), func(i int, phrase []string, from, to int) {
		if s, ok := relativeDates[i].spanOf(phrase, today); ok && s.IsSet() {
			m := newMention(s, relativeDates[i].counted, today, from, to)
			if also := relativeDates[i].also; also != nil && also(today) != s {
				m.spans, m.whole = append(m.spans, also(today)), append(m.whole, also(today))
			}
			m.kept = isKept(s, today)
			found = append(found, m)
		}
	})
	for i, w := range words {
		eachCJKSpan(w, today, func(s Span, counted bool, end int) {
			m := newMention(s, counted, today, i, i)
			m.end = end
			found = append(found, m)
		})
	}
	return found
}

// isKept reports whether the words of a time stay in the question: those of a long time
// that has begun.
func isKept(s Span, now time.Time) bool { return !s.IsWithin(longTime) && !s.From.After(now) }

func newMention(s Span, counted bool, today time.Time, from, to int) mention {
	m := mention{from: from, to: to, spans: []Span{s}, whole: []Span{s}}
	if !counted {
		return m
	}
	m.spans = []Span{s.Extended(1)}
	if near := today.AddDate(0, 0, -surelyCounted); s.From.Before(near) {
		m.whole = []Span{s, s.Extended(1)}
	} else {
		m.spans = append(m.spans, s)
	}
	return m
}

// withoutCJKDates cuts the relative dates out of a word, which may be a sentence.
func withoutCJKDates(w string) string {
	if !hasCJK(w) {
		return w
	}
	for j, r := range cjkDates {
		if !mayMatch(j, w) {
			continue
		}
		if cut := r.pattern.ReplaceAllString(w, ""); cut != w || r.pattern.NumSubexp() == 0 {
			w = cut
		} else {
			w = r.pattern.ReplaceAllString(cjkNumbers.Replace(w), "")
		}
	}
	return w
}

func hasCJK(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return language.ScriptOf(r) != language.NoCJK })
}

// eachSpan calls yield for each relative date in a text whose words are joined by spaces.
func eachSpan(text string, today time.Time, yield func(s Span, counted bool)) {
	relativePhrases().Each(text, func(i int, phrase []string, _, _ int) {
		if s, ok := relativeDates[i].spanOf(phrase, today); ok && s.IsSet() {
			yield(s, relativeDates[i].counted)
		}
	})
	eachCJKSpan(text, today, func(s Span, counted bool, _ int) { yield(s, counted) })
}

// eachCJKSpan is eachSpan for Chinese and Japanese. yield also gets the offset behind the
// expression, or 0 for one with a number.
func eachCJKSpan(text string, today time.Time, yield func(s Span, counted bool, end int)) {
	if !hasCJK(text) {
		return
	}
	digits := cjkNumbers.Replace(text)
	for i, r := range cjkDates {
		if !mayMatch(i, text) {
			continue
		}
		s, ok := r.find(text, today)
		end := 0
		if isCounted := r.pattern.NumSubexp() > 0; !ok && isCounted {
			s, ok = r.find(digits, today)
		} else if ok && !isCounted {
			end = r.pattern.FindStringIndex(text)[1]
		}
		if ok {
			yield(s, r.counted, end)
			text = r.blank(text) // 上周五 is not 上周
		}
	}
}

// blank returns a text with spaces in place of the expression. All offsets stay.
func (r relativeDate) blank(text string) string {
	blanked := []byte(text)
	for _, m := range r.pattern.FindAllStringIndex(text, -1) {
		copy(blanked[m[0]:m[1]], strings.Repeat(" ", m[1]-m[0]))
	}
	return string(blanked)
}

func (r relativeDate) find(text string, today time.Time) (Span, bool) {
	return r.spanOf(r.pattern.FindStringSubmatch(text), today)
}

// spanOf returns the span of a match of the pattern; nil is none.
func (r relativeDate) spanOf(found []string, today time.Time) (Span, bool) {
	if found == nil {
		return Span{}, false
	}
	n, _ := strconv.Atoi(strings.Join(found[1:], "")) // 0 if the pattern has no number
	return r.span(today, n), n <= maxUnitsBack
}

// joinWithNumbers joins words with spaces, after replaceNumbers.
func joinWithNumbers(words []string) string { return strings.Join(replaceNumbers(words), " ") }

// replaceNumbers makes digits of numbers as words before a unit of time: "three days
// ago". The German "hier" means here, so it is left out beside other German words.
func replaceNumbers(words []string) []string {
	joined := slices.Clone(words)
	german := slices.ContainsFunc(words, func(w string) bool { return germanWords[w] })
	for i, w := range words {
		if german && w == "hier" {
			joined[i] = "-"
		}
		if i+1 < len(words) && (unitDays[words[i+1]] > 0 || isWeekdays(words[i+1])) {
			if n, known := numberValues[w]; known {
				joined[i] = strconv.Itoa(n)
			} else if singleUnit[w] && unitDays[words[i+1]] > 0 && !(w == "a" && i > 0 && words[i-1] == "y") { // il y a
				joined[i] = "1"
			}
		}
	}
	return joined
}

// isWeekdays reports whether a word names a weekday, in the singular or the plural.
func isWeekdays(w string) bool {
	_, ok := weekdayNumbers[strings.TrimSuffix(strings.TrimSuffix(w, "s"), "en")]
	return ok || weekdayNumbers[w] > 0
}

// germanWords lists frequent German words that no French question has.
var germanWords = language.WordSet("ist sind war was wer wie wo wann warum ich wir mir mich das der die den und nicht kann können gibt hat haben wird mit auf steht liegt")

// singleUnit lists the articles that mean one before a unit of time.
var singleUnit = language.WordSet("a an one einem einer einen un une una")

// maxRelativeWords is one more than the number of words of the longest relative
// date: "il y a 3 semaines aujourd'hui".
const maxRelativeWords = 7

// parseRelativeDate reads a time relative to today at the beginning of tokens, as in
// "last week", and returns the number of its tokens.
func parseRelativeDate(tokens []token, now time.Time) (Span, int) {
	var words []string
	for _, t := range tokens[:min(maxRelativeWords, len(tokens))] {
		words = append(words, t.lower)
	}
	joined := joinWithNumbers(words)
	found, n := Span{}, 0
	relativePhrases().Each(joined, func(i int, phrase []string, from, to int) {
		if s, ok := relativeDates[i].spanOf(phrase, calendar.StartOfDay(now)); ok && from == 0 && s.IsSet() {
			if found, n = s, to; relativeDates[i].counted {
				found = s.Extended(1)
			}
		}
	})
	return found, n
}
