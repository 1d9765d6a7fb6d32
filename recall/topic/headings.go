package topic

import (
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/recall/language"
)

// Headings returns the headings that name a topic. It leaves out those that
// only give a time ("Monday, 8 May 2023", "13:56") or a kind of file ("Notes",
// "Log").
func Headings(headings []string) []string {
	var topics []string
	for _, h := range headings {
		h = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(h), ":："))
		if isTopic(h) {
			topics = append(topics, h)
		}
	}
	return topics
}

// isTopic reports whether a heading has a word besides nonTopicWords and numbers.
func isTopic(heading string) bool {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return !language.IsAlnum(r) })
	for _, w := range words {
		if !nonTopicWords[w] && !language.IsOrdinal(w) && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// nonTopicWords lists months, days, articles, and names of journals and notes.
var nonTopicWords = language.WordSet(`a an and the of for on in to from am pm w week day date today yesterday
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
lunes martes miércoles jueves viernes sábado domingo
janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
note notes log logs journal diary daily memory memories misc miscellaneous general other others various entry entries session sessions
captured inbox scratch untitled notizen tagebuch notas diario`)
