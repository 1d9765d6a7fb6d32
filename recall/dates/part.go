package dates

import (
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// partNumbers maps the words for the first, second and last third of a time.
var partNumbers = map[string]int{}

// partsOf lists those of them that need an "of": "start last week" is a verb. Those of
// partAdverbs may be adverbs: "late last week".
var (
	partsOf     = language.WordSet("beginning start middle end")
	partAdverbs = language.WordSet("early late")
)

// currentPeriods maps the words for the time of which now is a part: "the end of the month".
var currentPeriods = map[string]func(time.Time) Span{}

func init() {
	for i, words := range []string{
		"early beginning start anfang début debut principios comienzos inicios",
		"mid middle mitte mi mediados",
		"late end ende fin fines finales",
	} {
		for w := range strings.FieldsSeq(words) {
			partNumbers[w] = i + 1
		}
	}
	for words, span := range map[string]func(time.Time) Span{
		"week woche semaine":            func(t time.Time) Span { return calendar.Days(calendar.StartOfWeek(t), 0, 7) },
		"month monats monat mois mes":   func(t time.Time) Span { return calendar.Month(t, 0) },
		"year jahres jahr année an año": func(t time.Time) Span { return calendar.Year(t, 0) },
	} {
		for w := range strings.FieldsSeq(words) {
			currentPeriods[w] = span
		}
	}
}

// parsePart reads a third of a month, a week or a year at the beginning of tokens:
// "mid-October", "Anfang November", "the end of last month". n is the number of its tokens.
func parsePart(tokens []token, now time.Time, when func() tense) (spans []Span, n int) {
	part, isAdverb := 0, false
	if word, month, found := strings.Cut(tokens[0].lower, "-"); found && partNumbers[word] > 0 && monthNumbers[month] > 0 {
		part = partNumbers[word]
		tokens = append([]token{{lower: month, previous: "in", endsClause: tokens[0].endsClause}}, tokens[1:]...)
	} else {
		for n < len(tokens)-1 && n < 2 && dateFillers[tokens[n].lower] {
			n++
		}
		part = partNumbers[tokens[n].lower]
		if n++; part == 0 || tokens[n-1].endsClause || n == len(tokens) || partsOf[tokens[n-1].lower] && tokens[n].lower != "of" {
			return nil, 0
		}
		isAdverb = partAdverbs[tokens[n-1].lower]
	}
	if d, m := parseDate(tokens[n:], true); m > 0 {
		if isVerb := (tokens[n].lower == "may" || tokens[n].lower == "march") && tokens[n].text != "" && !unicode.IsUpper(language.FirstRune(tokens[n].text)); d.Day > 0 || isVerb {
			return nil, 0
		}
		for _, complete := range d.years(now, when) {
			spans = append(spans, calendar.Third(complete.Span(now.Location()), part))
		}
		return spans, n + m
	}
	if isAdverb {
		return nil, 0
	}
	for n < len(tokens)-1 && dateFillers[tokens[n].lower] && currentPeriods[tokens[n].lower] == nil {
		n++
	}
	if span := currentPeriods[tokens[n].lower]; span != nil {
		return []Span{calendar.Third(span(calendar.StartOfDay(now)), part)}, n + 1
	}
	const shortest = 7
	if s, m := parseRelativeDate(tokens[n:], now); m > 0 && !s.IsWithin(shortest-1) {
		return []Span{calendar.Third(s, part)}, n + m
	}
	return nil, 0
}

// halfMonth is the number of days of the longest part of a month whose words leave the
// question. Notes name a month, but seldom its part.
const halfMonth = 16

// isPartKept is isKept for a part of a time.
func isPartKept(s Span, now time.Time) bool { return !s.IsWithin(halfMonth) && isKept(s, now) }
