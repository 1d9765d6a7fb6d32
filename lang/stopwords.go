package lang

import (
	"slices"
	"strings"
	"unicode"
)

// The tables of lang/stopwords.md.
var (
	isStopWord  = Words("stopwords", "english", "other")
	isEnglish   = Words("stopwords", "english")
	isShared    = Words("stopwords", "shared")
	isAmbiguous = Words("stopwords", "foreign")
)

// IsStopWord reports whether a word, in lower case, tells nothing about the answer. Stop words
// match nearly every memory, and would take most of the keyword lane's time.
func IsStopWord(word string) bool { return isStopWord(word) }

// IsStopWordIn returns a function that reports whether a word, in lower case, is a stop
// word in a text. Some stop words of other languages name a thing in English: German die,
// was, hat and war. They are stop words in a foreign text.
func IsStopWordIn(text string) func(word string) bool {
	if !IsForeign(text) {
		return IsStopWord
	}
	return func(word string) bool { return isStopWord(word) || isAmbiguous(word) }
}

// AllStopWords reports whether no word tells anything about the answer.
func AllStopWords(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !IsStopWord(w) })
}

// IsForeign reports whether a text is in another language than English, as its stop words
// tell: more of them are foreign than English. A text in a script that does not separate
// its words is foreign, and so is one with ¿ or ¡ and no English stop word. A word with a
// capital letter inside the text is a name ("Los Angeles") and tells nothing. Without stop
// words the text counts as English.
func IsForeign(text string) bool {
	foreign, english := 0, 0
	if strings.ContainsAny(text, "¿¡") {
		foreign++
	}
	for i, word := range SplitWords(text) {
		first := FirstRune(word)
		lower := strings.ToLower(word)
		switch {
		case ScriptOf(first) != NoCJK:
			foreign++
		case i > 0 && unicode.IsUpper(first), isShared(lower):
		case isEnglish(lower):
			english++
		case isStopWord(lower):
			foreign++
		}
	}
	return foreign > english
}
