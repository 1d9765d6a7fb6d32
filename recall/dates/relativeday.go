package dates

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/recall/language"
)

// nearby is how many bytes beside a relative day may contain its date.
const nearby = 60

// RelativeDay is a part of a text that names one day, such as "tomorrow" or "vor drei Tagen".
type RelativeDay struct {
	Day      time.Time // its first moment
	From, To int       // the offsets of the words; in CJK, From may be before them
	InCJK    bool
	HasDate  bool // the text names the date beside it: "tomorrow, 24 November"
}

// RelativeDays finds the relative days in a text, in their order. Times with several readings
// and times of more than a day are none. now is the time of the text, in the zone of its writer.
func RelativeDays(text string, now time.Time) (days []RelativeDay) {
	r := newReader(text, now)
	r.readRelative(&Named{})
	for _, m := range r.relative {
		if day, ok := r.relativeDay(m); ok {
			day.HasDate = beginsWithDay(text[day.To:]) || endsWithDay(text[:day.From])
			days = append(days, day)
		}
	}
	slices.SortStableFunc(days, func(a, b RelativeDay) int { return cmp.Compare(a.To, b.To) })
	return days
}

// relativeDay returns the day of a mention. ok is false if it may be another day, or none.
func (r *reader) relativeDay(m mention) (day RelativeDay, ok bool) {
	first := r.tokens[m.from]
	day = RelativeDay{Day: m.whole[0].From, From: first.at, To: first.at + m.end, InCJK: m.from == m.to}
	if len(m.whole) != 1 || !m.whole[0].IsDay() || len(m.spans) > 1 && day.Day.After(r.now.AddDate(0, 0, surelyCounted)) {
		return day, false
	}
	if day.InCJK {
		return day, m.end > 0 && len(first.lower) == len(first.text)
	}
	words := r.tokens[m.from:m.to]
	day.To = words[len(words)-1].at + len(words[len(words)-1].text)
	isSplit := slices.ContainsFunc(words[:len(words)-1], func(t token) bool { return t.endsClause })
	return day, !isSplit && r.isTime(words, r.tokens[m.to:], m.from)
}

// isTime reports whether words are a time of their own. "Freitag Morgen", "USA Today" and "the
// last Friday of each month" are none. Without a past tense, "hier" may be German.
func (r *reader) isTime(words, next []token, at int) bool {
	first, last := words[0], words[len(words)-1]
	_, isPartOfDay := weekdayNumbers[first.previous]
	_, isWeekday := weekdayNumbers[last.lower]
	isOfMonths := isWeekday && len(next) > 0 && !last.endsClause && noDayOf[next[0].lower]
	isName := first.previous != "" && unicode.IsUpper(language.FirstRune(first.text))
	isHere := joinLower(words) == "hier" && r.tenseAt(at)() != pastTense
	return !isPartOfDay && !isOfMonths && !isName && !isHere && !habitWords[first.previous]
}

// beginsWithDay reports whether a text begins with a date: ", Tuesday, 24 November".
func beginsWithDay(text string) bool {
	text = strings.ToValidUTF8(text[:min(len(text), nearby)], "")
	tokens := joinWeekdays(tokenise(strings.TrimLeft(text, " ,;:–(（，、")))
	for len(tokens) > 1 && dateFillers[tokens[0].lower] {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return false
	}
	tokens[0].previous = cmp.Or(tokens[0].previous, "on")
	d, _ := parseDate(tokens, true)
	_, n := parseDayOfMonth(tokens)
	return n > 0 || d.Day > 0
}

// endsWithDay reports whether a text ends with a date: "on 24 November (".
func endsWithDay(text string) bool {
	tokens := tokenise(strings.ToValidUTF8(text[max(0, len(text)-nearby):], ""))
	for i := range tokens {
		if d, n := parseDate(tokens[i:], true); n == len(tokens)-i && d.Day > 0 {
			return !tokens[len(tokens)-1].endsSentence()
		}
	}
	return false
}
