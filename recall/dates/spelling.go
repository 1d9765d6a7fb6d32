package dates

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// maxSpelledDays is the longest span whose days are spelled. Of a longer one the months
// are.
const maxSpelledDays = 7

// maxCompactDays is the longest span whose days are spelled as in names of files: 20261103.
// Such a word has no month in it.
const maxCompactDays = 31

// Spellings returns the words with which texts, headings and names of files give the days
// of a span. It returns none for a span that is open or longer than a year.
func Spellings(s Span) []string {
	if s.From.IsZero() || s.To.IsZero() || s.To.After(s.From.AddDate(1, 0, 0)) {
		return nil
	}
	words := map[string]bool{}
	days := !s.To.After(s.From.AddDate(0, 0, maxSpelledDays))
	for at := s.From; at.Before(s.To); at = at.AddDate(0, 0, 1) {
		words[strconv.Itoa(at.Year())], words[at.Format("01")] = true, true
		for name, month := range monthNumbers {
			if month == at.Month() {
				words[name] = true
			}
		}
		if s.IsWithin(maxCompactDays) {
			words[at.Format("20060102")] = true
		}
		if days {
			for _, w := range []string{strconv.Itoa(at.Day()), at.Format("02"), language.Ordinal(at.Day())} {
				words[w] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(words))
}

// Holds reports whether a memory was written within a span, or names a time within it.
// day is the first day of that time.
func Holds(s Span, m *memory.Memory, zone *time.Location) (day time.Time, ok bool) {
	written, dated := WrittenOn(m, zone)
	if dated && s.Covers(written) {
		return written.From, true
	}
	if !mayNameDate(m.Text) {
		return time.Time{}, false
	}
	for _, named := range textDates(m.Text, written.From) {
		if s.Covers(named) {
			return named.From, true
		}
	}
	if !dated && s.IsDay() && namesDayOfMonth(m.Text, s.From.Day()) {
		return s.From, true
	}
	return time.Time{}, false
}

// namesDayOfMonth reports whether a text names a day of each month: "due on the 3rd", "am
// 15.".
func namesDayOfMonth(text string, day int) bool {
	tokens := tokenise(text)
	for i, t := range tokens {
		isNamed := t.previous == "am" || language.IsOrdinal(t.lower) && (t.previous == "on" || t.previous == "the")
		if isNamed && parseDay(t.lower) == day && (isDayOfMonth(tokens[i:]) || isOfEachMonth(tokens[i+1:])) {
			return true
		}
	}
	return false
}

// isOfEachMonth reports whether tokens begin with "of each month".
func isOfEachMonth(tokens []token) bool {
	return len(tokens) > 2 && noDayOf[tokens[0].lower] && habitWords[tokens[1].lower]
}
