package dates

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/language"
)

// relativeDate is an expression for a time relative to a day, usually today. n is the
// number in the expression, or 0.
type relativeDate struct {
	pattern *regexp.Regexp
	span    func(today time.Time, n int) Span
	counted bool // in days, by a person who may be wrong by one
}

// widened returns a span with a day more on each side.
func (s Span) widened() Span { return Span{s.From.AddDate(0, 0, -1), s.To.AddDate(0, 0, 1)} }

// relativeDates lists the expressions in English, German, Spanish and French.
var relativeDates = []relativeDate{
	{phrasePattern(`today|tonight|heute|hoy|aujourd'hui`), func(t time.Time, _ int) Span { return daySpan(t, 0, 1) }, false},
	{phrasePattern(`yesterday|last night|gestern|ayer|hier|hier soir`), func(t time.Time, _ int) Span { return daySpan(t, -1, 1) }, false},
	{phrasePattern(`day before yesterday|vorgestern|anteayer|avant[- ]hier`), func(t time.Time, _ int) Span { return daySpan(t, -2, 1) }, false},
	{phrasePattern(`tomorrow|demain`), func(t time.Time, _ int) Span { return daySpan(t, 1, 1) }, false},
	{phrasePattern(`this week|diese woche|esta semana|cette semaine`), func(t time.Time, _ int) Span { return daySpan(startOfWeek(t), 0, 7) }, false},
	{phrasePattern(`(?:last|past) week|letzte woche|letzter woche|vorige woche|la semana pasada|la semaine derni[eè]re`), func(t time.Time, _ int) Span { return daySpan(startOfWeek(t), -7, 7) }, false},
	{phrasePattern(`last weekend|letztes wochenende|(?:el )?fin de semana pasado|le week[- ]end dernier`), func(t time.Time, _ int) Span { return daySpan(startOfWeek(t), -2, 2) }, false},
	{phrasePattern(`this month|diesen monat|este mes|ce mois`), func(t time.Time, _ int) Span { return monthSpan(t, 0) }, false},
	{phrasePattern(`last month|letzten monat|vorigen monat|el mes pasado|le mois dernier`), func(t time.Time, _ int) Span { return monthSpan(t, -1) }, false},
	{phrasePattern(`this year|dieses jahr|este año|cette année`), func(t time.Time, _ int) Span { return yearSpan(t, 0) }, false},
	{phrasePattern(`last year|letztes jahr|el año pasado|l'année dernière`), func(t time.Time, _ int) Span { return yearSpan(t, -1) }, false},
	{phrasePattern(`a few days ago|vor ein paar tagen|hace unos días|il y a quelques jours`), func(t time.Time, _ int) Span { return daySpan(t, -7, 6) }, false},
	{phrasePattern(`(\d+) days? ago|vor (\d+) tag(?:en)?|hace (\d+) días?|il y a (\d+) jours?`), func(t time.Time, n int) Span { return daySpan(t, -n, 1) }, true},
	{phrasePattern(`(\d+) weeks? ago|vor (\d+) wochen?|hace (\d+) semanas?|il y a (\d+) semaines?`), func(t time.Time, n int) Span { return daySpan(startOfWeek(t), -7*n, 7) }, false},
	{phrasePattern(`(\d+) months? ago|vor (\d+) monat(?:en)?|hace (\d+) mes(?:es)?|il y a (\d+) mois`), func(t time.Time, n int) Span { return monthSpan(t, -n) }, false},
	{phrasePattern(`(?:last|past) (\d+) days?|letzten (\d+) tagen?|últimos (\d+) días|derniers (\d+) jours`), func(t time.Time, n int) Span { return daySpan(t, -n, n+1) }, false},
	{phrasePattern(`(?:last|past) (\d+) weeks?|letzten (\d+) wochen|últimas (\d+) semanas`), func(t time.Time, n int) Span { return daySpan(t, -7*n, 7*n+1) }, false},
}

// weekdayDates lists the expressions for a weekday in the past, and anchorWeekdays
// the bare names. A bare name counts only after a relation ("since Monday"): elsewhere
// it is often a habit ("who teaches on Monday?").
var weekdayDates, anchorWeekdays []relativeDate

// weekdays lists the names from Sunday on.
var weekdays = [...]struct{ en, de, es, fr string }{
	{"sunday", "sonntag", "domingo", "dimanche"}, {"monday", "montag", "lunes", "lundi"}, {"tuesday", "dienstag", "martes", "mardi"},
	{"wednesday", "mittwoch", "miércoles", "mercredi"}, {"thursday", "donnerstag", "jueves", "jeudi"}, {"friday", "freitag", "viernes", "vendredi"},
	{"saturday", "samstag|sonnabend", "sábado", "samedi"},
}

func init() {
	for day, w := range weekdays {
		latest := func(t time.Time, _ int) Span { return daySpan(t, -daysSince(t, time.Weekday(day)), 1) }
		weekdayDates = append(weekdayDates, relativeDate{phrasePattern(`last ` + w.en + `|(?:letzte[nr]?|vorige[nr]?) (?:` + w.de + `)|` + w.es + ` pasado|` + w.fr + ` dernier`), latest, false})
		anchorWeekdays = append(anchorWeekdays, relativeDate{phrasePattern(`(?:dem |el |le )?(?:` + w.en + `|` + w.de + `|` + w.es + `|` + w.fr + `)`), latest, false})
	}
	relativeDates = append(relativeDates, weekdayDates...)
}

// daysSince returns how many days before a day its latest weekday of a kind was, from
// 1 to 7.
func daysSince(t time.Time, day time.Weekday) int {
	const week = 7
	return (int(t.Weekday()-day)+week-1)%week + 1
}

// cjkDates lists the expressions in Chinese and Japanese, which have no spaces.
var cjkDates = []relativeDate{
	{regexp.MustCompile(`一昨日|おととい|前天`), func(t time.Time, _ int) Span { return daySpan(t, -2, 1) }, false},
	{regexp.MustCompile(`(?:^|[^一])昨日|きのう|昨天|昨晚|昨夜`), func(t time.Time, _ int) Span { return daySpan(t, -1, 1) }, false},
	{regexp.MustCompile(`今日|きょう|今天|今晚`), func(t time.Time, _ int) Span { return daySpan(t, 0, 1) }, false},
	{regexp.MustCompile(`明日|あした|明天`), func(t time.Time, _ int) Span { return daySpan(t, 1, 1) }, false},
	{regexp.MustCompile(`先週|上周|上週|上个?星期|上個星期`), func(t time.Time, _ int) Span { return daySpan(startOfWeek(t), -7, 7) }, false},
	{regexp.MustCompile(`今週|这周|本周|這週|本週|这个?星期`), func(t time.Time, _ int) Span { return daySpan(startOfWeek(t), 0, 7) }, false},
	{regexp.MustCompile(`先月|上个月|上個月|上月`), func(t time.Time, _ int) Span { return monthSpan(t, -1) }, false},
	{regexp.MustCompile(`今月|这个月|這個月|本月`), func(t time.Time, _ int) Span { return monthSpan(t, 0) }, false},
	{regexp.MustCompile(`去年|昨年`), func(t time.Time, _ int) Span { return yearSpan(t, -1) }, false},
	{regexp.MustCompile(`今年`), func(t time.Time, _ int) Span { return yearSpan(t, 0) }, false},
	{regexp.MustCompile(`(\d+)\s*[日天]前`), func(t time.Time, n int) Span { return daySpan(t, -n, 1) }, true},
	{regexp.MustCompile(`(\d+)\s*(?:週間|周|週|个星期)前`), func(t time.Time, n int) Span { return daySpan(startOfWeek(t), -7*n, 7) }, false},
	{regexp.MustCompile(`(\d+)\s*(?:[ヶかカケ]月|个月|個月)前`), func(t time.Time, n int) Span { return monthSpan(t, -n) }, false},
}

// cjkNumbers replaces the numbers that are written as characters before a unit.
var cjkNumbers = strings.NewReplacer("一", "1", "二", "2", "两", "2", "兩", "2", "三", "3", "四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9", "十", "10")

// phrasePattern matches whole words of a text whose words are joined by one space.
func phrasePattern(pattern string) *regexp.Regexp {
	return regexp.MustCompile(beforePhrase + `(?:` + pattern + `)(?:$| )`)
}

// beforePhrase is what a phrasePattern begins with.
const beforePhrase = `(?:^| )`

// maxUnitsBack bounds the number of days, weeks or months in a question. No memory
// is older.
const maxUnitsBack = 5000

// surelyCounted is the number of days up to which a person counts without a mistake, as a
// rule.
const surelyCounted = 7

// relativeSpans returns the spans of all relative dates in the words of a text, in
// lower case. A counted one has its day and the days beside it.
func relativeSpans(words []string, today time.Time) (spans []Span) {
	eachSpan(joinWithNumbers(words), today, func(s Span, counted bool) {
		if counted {
			spans = append(spans, s.widened())
		}
		if !counted || !s.From.Before(today.AddDate(0, 0, -surelyCounted)) {
			spans = append(spans, s)
		}
	})
	return spans
}

// RelativeWords returns the words of a question that occur in relative dates alone: "day",
// "before" and "yesterday" of "the day before yesterday". The words are in lower case. A
// date longer than a week does not count: most of what was written this year is no answer,
// and notes often have the words. It does not read CJK.
func RelativeWords(words []string, today time.Time) map[string]bool {
	const week = 7
	relative, dated := map[string]bool{}, inRelativeDates(words, func(pattern int, match []string) bool {
		s, ok := relativeDates[pattern].spanOf(match, startOfDay(today))
		return ok && !s.To.After(s.From.AddDate(0, 0, week))
	})
	for i, w := range words {
		if dated[i] {
			relative[w] = true
		}
	}
	for i, w := range words {
		if !dated[i] {
			delete(relative, w)
		}
	}
	return relative
}

// anyDate accepts every match.
func anyDate(int, []string) bool { return true }

// inRelativeDates reports for each word whether it is part of a relative date that accepts
// returns true for. It gets the pattern and its match.
func inRelativeDates(words []string, accepts func(pattern int, match []string) bool) []bool {
	dated := make([]bool, len(words))
	relativePhrases().each(joinWithNumbers(words), func(pattern int, match []string, from, to int) {
		for i := from; i < min(to, len(words)) && accepts(pattern, match); i++ {
			dated[i] = true
		}
	})
	return dated
}

// withoutRelativeDates returns the words that belong to no relative date. Of a text in
// CJK, which has no spaces, it cuts the dates out.
func withoutRelativeDates(words []string) (rest []string) {
	dated := inRelativeDates(words, anyDate)
	for i, w := range words {
		if dated[i] {
			continue
		}
		for j, r := range cjkDates {
			if mayMatch(j, w) {
				w = r.pattern.ReplaceAllString(cjkNumbers.Replace(w), "")
			}
		}
		if w != "" {
			rest = append(rest, w)
		}
	}
	return rest
}

// eachSpan calls yield for each relative date in a text whose words are joined by spaces.
func eachSpan(text string, today time.Time, yield func(s Span, counted bool)) {
	for i, phrase := range relativePhrases().firstIn(text) {
		if s, ok := relativeDates[i].spanOf(phrase, today); ok {
			yield(s, relativeDates[i].counted)
		}
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return language.ScriptOf(r) != language.NoCJK }) {
		return
	}
	digits := cjkNumbers.Replace(text)
	for i, r := range cjkDates {
		if !mayMatch(i, text) {
			continue
		}
		s, ok := r.find(text, today)
		if !ok && r.pattern.NumSubexp() > 0 {
			s, ok = r.find(digits, today)
		}
		if ok {
			yield(s, r.counted)
		}
	}
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
		if i+1 < len(words) && unitDays[words[i+1]] > 0 {
			if n, known := numberValues[w]; known {
				joined[i] = strconv.Itoa(n)
			} else if singleUnit[w] && !(w == "a" && i > 0 && words[i-1] == "y") { // il y a
				joined[i] = "1"
			}
		}
	}
	return joined
}

// germanWords lists frequent German words that no French question has.
var germanWords = language.WordSet("ist sind war was wer wie wo wann warum ich wir mir mich das der die den und nicht kann können gibt hat haben wird mit auf steht liegt")

// singleUnit lists the articles that mean one before a unit of time.
var singleUnit = language.WordSet("a an one einem einer einen un une una")

// maxRelativeWords is one more than the number of words of the longest relative
// date: "il y a 3 semaines".
const maxRelativeWords = 6

// parseRelativeDate reads a time relative to today at the beginning of tokens, as in
// "last week" or "Monday", and returns the number of its tokens.
func parseRelativeDate(tokens []token, now time.Time) (Span, int) {
	var words []string
	for _, t := range tokens[:min(maxRelativeWords, len(tokens))] {
		words = append(words, t.lower)
	}
	joined := joinWithNumbers(words)
	for _, r := range slices.Concat(relativeDates, anchorWeekdays) {
		at := r.pattern.FindStringIndex(joined)
		if at == nil || at[0] != 0 {
			continue
		}
		if s, ok := r.find(joined[:at[1]], startOfDay(now)); ok {
			if r.counted {
				s = s.widened()
			}
			return s, len(strings.Fields(joined[:at[1]]))
		}
	}
	return Span{}, 0
}
