package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
)

// answerKinds is what a text must have to answer a question: a time, a duration, a number,
// a person. Only English questions show it.
type answerKinds struct{ time, duration, number, person bool }

// maxKindWords is the number of words up to which a text is a question of one kind. A long
// prompt has "when" and "who" for other reasons.
const maxKindWords = 24

// wantedKinds reads what kind of answer a question wants.
func wantedKinds(text string) (wants answerKinds) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 || len(words) > maxKindWords {
		return wants
	}
	after := func(i int) string {
		if i+1 < len(words) {
			return bareWord(words[i+1])
		}
		return ""
	}
	for i, raw := range words {
		w, next := bareWord(raw), after(i)
		asks := i == 0 || endsClause(words[i-1]) || joinsQuestion(words[i-1])
		switch {
		case w == "when":
			wants.time = wants.time || asks && isAuxiliary(next)
		case w == "who" || w == "whose" || w == "whom":
			wants.person = wants.person || asks
		case w == "what" || w == "which":
			wants.time = wants.time || slices.Contains([]string{"time", "hour", "day", "date"}, next)
		case w == "how":
			wants.time = wants.time || next == "early" || next == "late"
			wants.duration = wants.duration || next == "long"
			wants.number = wants.number || isAmount(next)
		}
	}
	if first := strings.TrimSuffix(bareWord(words[0]), "'s"); first == "what" || first == "which" {
		for _, w := range words {
			wants.number = wants.number || isMeasure(bareWord(w))
			wants.time = wants.time || bareWord(w) == "deadline"
		}
	}
	return wants
}

// bareWord returns a word without the punctuation around it.
func bareWord(w string) string {
	return strings.TrimFunc(strings.ReplaceAll(w, "’", "'"), func(r rune) bool { return !lang.IsAlnum(r) })
}

// endsClause reports whether a word ends with punctuation.
func endsClause(w string) bool {
	last, _ := utf8.DecodeLastRuneInString(w)
	return strings.ContainsRune(",.;:?!-–", last)
}

// LacksAnswer reports whether a question asks for a time, a duration, a number or a person,
// and a text has none.
func (in Intent) LacksAnswer(text string) bool {
	return in.kinds.time && !hasAnyTime(text) || in.kinds.duration && !hasDuration(text) || in.kinds.number && !hasAmount(text) || in.kinds.person && !hasPerson(text)
}

// hasPerson reports whether a text has a word for a person, or a capital letter inside a
// sentence. The first word of a sentence may be a name if a verb follows.
func hasPerson(text string) bool {
	first, capital := true, false
	for raw := range strings.FieldsSeq(text) {
		w := bareWord(raw)
		if w == "" {
			continue
		}
		lower := strings.ToLower(w)
		isCapital := unicode.IsUpper(lang.FirstRune(w))
		if isPerson(strings.TrimSuffix(lower, "'s")) || isCapital && !first || capital && (strings.HasSuffix(lower, "s") || strings.HasSuffix(lower, "ed") || followsName(lower)) {
			return true
		}
		capital, first = isCapital && first && !lang.IsStopWord(lower), strings.ContainsAny(raw[len(raw)-1:], ".!?:;")
	}
	return false
}

// hasTimeWord reports whether a text has a word of time, a year or an ordinal.
func hasTimeWord(text string) bool {
	return lang.AnyWord(text, func(w string) bool {
		return isUsualTime(w) || len(w) == 4 && lang.AllDigits(w) || lang.IsOrdinal(w) && len(w) <= 4
	})
}

// hasAnyTime is hasTimeWord for any number and more words.
func hasAnyTime(text string) bool {
	return hasAnyNumber(text) || lang.AnyWord(text, isTime)
}

// hasDuration is hasAnyTime without the words that tell a time relative to another one:
// "no more today" does not answer "how long".
func hasDuration(text string) bool {
	return hasAnyNumber(text) || lang.AnyWord(text, isLength)
}

// hasAnyNumber reports whether a text has a number, in digits or as a word.
func hasAnyNumber(text string) bool {
	return lang.AnyWord(text, func(w string) bool { return hasDigit(w) || isNumber(w) })
}

// hasAmount is hasAnyNumber without times of day and days of a month: "3 April, 14:30" does
// not answer "how many".
func hasAmount(text string) bool {
	before := ""
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		w := bareWord(field)
		switch {
		case isMonth(w) && dates.IsDay(before): // the number before it was not counted
		case dates.IsDay(before):
			return true
		case isMonth(before) && dates.IsDay(w):
			w = ""
		case !dates.IsDay(w) && hasAnyNumber(withoutClockTime(w)):
			return true
		}
		before = w
	}
	return dates.IsDay(before)
}

// clockTime matches a time of day.
var clockTime = lazyregexp.New(`\d{1,2}:\d{2}(?::\d{2})?`)

func withoutClockTime(w string) string {
	if !strings.Contains(w, ":") { // nearly every word
		return w
	}
	return clockTime().ReplaceAllString(w, "")
}

func hasDigit(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }
