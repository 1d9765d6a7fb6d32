package question

import (
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// withoutRequest returns a question without the words at its beginning that describe the
// request: "the boiler" of "Tell me everything about the boiler". It also leaves out "in my
// notes" at the end. It returns the question as it is if nothing else is left.
func withoutRequest(text string) string {
	words := strings.Fields(text)
	from, requests, writes := 0, false, false
	for i, field := range words {
		w := bareLower(field)
		writes = writes || isWriting(w)
		isRequest := isRequestWord(w) || writes && (isWriting(w) || isWritten(w))
		if !isRequest && !leadsToTopic(w) && !language.IsStopWord(w) {
			break
		}
		requests = requests || isRequest
		if requests && leadsToTopic(w) && i+1 < len(words) {
			from = i + 1
		}
	}
	if from == 0 {
		return text
	}
	rest := strings.Join(withoutNotes(words[from:]), " ")
	if language.AllStopWords(language.SplitWords(strings.ToLower(rest))) {
		return text
	}
	return rest
}

// bareLower returns a word in lower case without punctuation. Of a French verb with its
// pronoun ("sais-tu") it returns the verb.
func bareLower(field string) string {
	verb, _, _ := strings.Cut(strings.Trim(strings.ToLower(field), ".,:;!?¿¡\"'"), "-")
	return verb
}

// withoutNotes removes "in my notes" from the end of a question.
func withoutNotes(words []string) []string {
	i := len(words) - 1
	if i < 0 || !isPlaceOfNote(bareLower(words[i])) {
		return words
	}
	for i > 0 && language.IsStopWord(bareLower(words[i-1])) {
		i--
	}
	return words[:i]
}
