package chunker

import (
	"strings"
	"sync"
	"unicode"

	"github.com/memory-tiered/memory"
)

// Topics returns the headings that name a topic. It leaves out those that only give a
// time ("Monday, 8 May 2023", "13:56") or a kind of file ("Notes", "Log").
func Topics(headings []string) []string {
	var topics []string
	for _, h := range headings {
		if IsTopic(h) {
			topics = append(topics, strings.TrimSpace(strings.TrimRight(strings.TrimSpace(h), ":：")))
		}
	}
	return topics
}

// SetTopic notes what the headings above a text say of its subject, so that the chunk's
// embedding can contain it.
func SetTopic(c *memory.Chunk, headings []string) {
	if c.Topic = strings.Join(Topics(headings), ": "); c.Topic != "" {
		c.Fingerprint = Fingerprint(c.Topic + "\n" + c.Fingerprint.String())
	}
}

// IsTopic reports whether a heading has a word besides nonTopicWords and numbers.
func IsTopic(heading string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(heading), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if !nonTopicWords()[strings.TrimLeft(w, "0123456789")] && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// nonTopicWords lists months, days, articles, endings of ordinal numbers, and names of
// journals and notes.
var nonTopicWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`a an and the of for on in to from am pm w week day date today yesterday st nd rd th
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
lunes martes miércoles jueves viernes sábado domingo
janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
note notes log logs journal diary daily memory memories misc miscellaneous general other others various entry entries session sessions
captured inbox scratch untitled notizen tagebuch notas diario`) {
		words[w] = true
	}
	return words
})
