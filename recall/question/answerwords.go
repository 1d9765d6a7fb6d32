package question

import "github.com/memory-tiered/memory/recall/language"

// Words that an answer to "when" and to "how many" contains.
var (
	timeWords = language.WordSet(`yesterday today tomorrow tonight last next ago week weeks weekend month months year years day days morning evening night
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december`)
	numberWords = language.WordSet("one two three four five six seven eight nine ten couple few several first second third")
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
