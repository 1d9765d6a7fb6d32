package language

import (
	"strings"
	"unicode"
)

// The stop words of English alone, and those that only other languages have.
var englishWords, foreignWords = func() (of, others map[string]bool) {
	of, others = WordSet(english), WordSet(otherLanguages)
	for word := range of {
		delete(others, word)
	}
	for word := range WordSet(shared) {
		delete(of, word)
	}
	return of, others
}()

// shared lists stop words of English that are words of German, French, Spanish, Dutch or
// Norwegian too, and tell no language.
const shared = "a also am an as by do he i in is me no of on over so was we"

// IsForeign reports whether a text is in another language than English, as its stop words
// tell: more of them are foreign than English. A text in a script that does not separate
// its words is foreign, and so is one with ¿ or ¡ and no English stop word. A word with a
// capital letter inside the text is a name ("Los Angeles") and tells nothing. Without stop
// words the text counts as English.
func IsForeign(text string) bool {
	foreign, ofEnglish := 0, 0
	if strings.ContainsAny(text, "¿¡") {
		foreign++
	}
	for i, word := range SplitWords(text) {
		first := FirstRune(word)
		lower := strings.ToLower(word)
		switch {
		case ScriptOf(first) != NoCJK:
			foreign++
		case i > 0 && unicode.IsUpper(first):
		case englishWords[lower]:
			ofEnglish++
		case foreignWords[lower]:
			foreign++
		}
	}
	return foreign > ofEnglish
}
