package question

import (
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/language"
)

// monthNames lists the months. Beside the day of a month, they are no other words.
const monthNames = "january february march april may june july august september october november december"

// Words that an answer to "when" and to "how many" contains. The first two lists show that a
// text answers; with the other two, a text does not lack an answer.
var (
	timeWords = language.WordSet(`yesterday today tomorrow tonight last next ago week weeks weekend month months year years day days morning evening night
monday tuesday wednesday thursday friday saturday sunday
` + monthNames)
	numberWords   = language.WordSet("one two three four five six seven eight nine ten couple few several first second third")
	moreTimeWords = language.WordSet("hour hours minute minutes second seconds mornings afternoon afternoons evenings nights noon midnight weekends half spring summer autumn fall winter mondays tuesdays wednesdays thursdays fridays saturdays sundays")
	moreNumbers   = language.WordSet("eleven twelve twenty thirty forty fifty hundred thousand half twice once every")
)

// hasTimeWord reports whether a text has a word of time, a year or an ordinal.
func hasTimeWord(text string) bool {
	return language.AnyWord(text, func(w string) bool {
		return timeWords[w] || len(w) == 4 && language.AllDigits(w) || language.IsOrdinal(w) && len(w) <= 4
	})
}

// hasNumber reports whether a text has a number, in digits or as a word.
func hasNumber(text string) bool {
	return language.AnyWord(text, func(w string) bool { return numberWords[w] || language.AllDigits(w) })
}

// hasAnyTime is hasTimeWord for any number and more words.
func hasAnyTime(text string) bool {
	return hasAnyNumber(text) || language.AnyWord(text, func(w string) bool { return timeWords[w] || moreTimeWords[w] })
}

// hasDuration is hasAnyTime without the words that tell a time relative to another one:
// "no more today" does not answer "how long".
func hasDuration(text string) bool {
	return hasAnyNumber(text) || language.AnyWord(text, func(w string) bool { return (timeWords[w] || moreTimeWords[w]) && !relativeWords[w] })
}

// relativeWords lists words of time that are no length of time.
var relativeWords = language.WordSet("yesterday today tomorrow tonight last next ago")

// hasAnyNumber is hasNumber for any digit and more words.
func hasAnyNumber(text string) bool {
	return language.AnyWord(text, func(w string) bool { return hasDigit(w) || numberWords[w] || moreNumbers[w] })
}

// hasAmount is hasAnyNumber without times of day and days of a month: "3 April, 14:30" does
// not answer "how many".
func hasAmount(text string) bool {
	before := ""
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		w := bareWord(field)
		switch {
		case months[w] && dates.IsDay(before): // the number before it was not counted
		case dates.IsDay(before):
			return true
		case months[before] && dates.IsDay(w):
			w = ""
		case !dates.IsDay(w) && hasAnyNumber(clockTime.ReplaceAllString(w, "")):
			return true
		}
		before = w
	}
	return dates.IsDay(before)
}

// clockTime matches a time of day.
var clockTime = lazyregexp.New(`\d{1,2}:\d{2}(?::\d{2})?`)

// months is the set of monthNames.
var months = language.WordSet(monthNames)

func hasDigit(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }
