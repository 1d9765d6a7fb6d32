package dates

import (
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

var (
	halves   = language.WordSet("half hälfte mitad moitié")
	quarters = language.WordSet("quarter quartal trimestre")

	// numberedWeeks lists the names of weeks that are counted from the beginning of a year.
	// weeksOf lists those that also count otherwise: "week 3 of the course".
	numberedWeeks = language.WordSet("kw cw kalenderwoche")
	weeksOf       = language.WordSet("week woche semaine semana")
)

// weeksOfYear is the number of weeks of the longest year.
const weeksOfYear = 53

// yearPart is a numbered part of a year or a month.
type yearPart struct {
	number    int // -1: the last one
	of        int // the number of parts
	needsYear bool
}

// in returns the part of a year or a month.
func (p yearPart) in(s Span) (part Span, ok bool) {
	number := p.number
	if number < 0 {
		number = p.of
	}
	if p.of == weeksOfYear {
		return calendar.Week(s.From, number)
	}
	return calendar.Part(s, number, p.of), number <= p.of
}

// yearPartAt reads half of a month or a year, a quarter or a numbered week: "the first half
// of October", "Q3", "KW 46".
func (r *reader) yearPartAt(i int) (m mention) {
	part, n := parseYearPart(r.tokens[i:])
	if n == 0 {
		return mention{}
	}
	periods, to := r.periodsAfter(i+n, part.of == 2)
	if to == 0 && !part.needsYear {
		periods, to = r.yearsOf(part, i), i+n
	}
	for _, period := range periods {
		if span, ok := part.in(period); ok {
			m.from, m.to, m.spans = i, to, append(m.spans, span)
		}
	}
	m.whole, m.kept = m.spans, m.to > 0 && isPartKept(m.spans[0], r.now)
	return m
}

// parseYearPart reads the part without its year. n is the number of its tokens.
func parseYearPart(tokens []token) (part yearPart, n int) {
	word := tokens[0].lower
	if len(word) == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '4' {
		return yearPart{number: int(word[1] - '0'), of: 4}, 1
	}
	if number, isShort := strings.CutPrefix(word, "kw"); isShort && number != "" {
		part, n = parseWeek(number, false)
		return part, min(n, 1)
	}
	if len(tokens) < 2 || tokens[0].endsClause {
		return yearPart{}, 0
	}
	next, nth := tokens[1].lower, ordinals[word]
	switch {
	case nth != 0 && nth <= 2 && halves[next]:
		return yearPart{number: nth, of: 2, needsYear: true}, 2
	case nth != 0 && nth <= 4 && quarters[next]:
		return yearPart{number: nth, of: 4, needsYear: nth < 0}, 2
	case numberedWeeks[word]:
		part, n = parseWeek(next, false)
	case word == "calendar" && weeksOf[next] && len(tokens) > 2:
		if part, n = parseWeek(tokens[2].lower, false); n > 0 {
			n = 3
		}
	case weeksOf[word]:
		part, n = parseWeek(next, true)
	}
	return part, n
}

// parseWeek reads the number of a week, which is the second of two tokens.
func parseWeek(number string, needsYear bool) (part yearPart, n int) {
	if week, err := strconv.Atoi(number); err == nil && week >= 1 && week <= weeksOfYear {
		return yearPart{number: week, of: weeksOfYear, needsYear: needsYear}, 2
	}
	return yearPart{}, 0
}

// periodsAfter reads the year of a part, or its month if it may be of one.
func (r *reader) periodsAfter(i int, mayBeMonth bool) (periods []Span, to int) {
	if i >= len(r.tokens) || r.tokens[i-1].endsClause {
		return nil, 0
	}
	hasFiller := dateFillers[r.tokens[i].lower]
	if mayBeMonth && hasFiller {
		if periods, to = r.monthsAt(i + 1); to > 0 {
			return periods, to
		}
	}
	for i < len(r.tokens)-1 && dateFillers[r.tokens[i].lower] {
		i++
	}
	if year, ok := parseYear(r.tokens[i].lower); ok {
		return []Span{calendar.Year(time.Date(year, 1, 1, 0, 0, 0, 0, r.now.Location()), 0)}, i + 1
	}
	if s, n := parseRelativeDate(r.tokens[i:], r.now); n > 0 && s == calendar.Year(s.From, 0) {
		return []Span{s}, i + n
	}
	return nil, 0
}

// yearsOf returns the years of a part that is named without one: the latest, and the coming
// one if it is near. The tense may tell which.
func (r *reader) yearsOf(part yearPart, i int) []Span {
	latest, coming, isNear := calendar.YearsAround(r.now, part.in)
	switch tense := r.tenseAt(i)(); {
	case tense == futureTense:
		return []Span{coming}
	case tense == pastTense || !isNear:
		return []Span{latest}
	}
	return []Span{latest, coming}
}
