package recall

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
)

// topicHeadings returns the headings that name a topic. It leaves out those that
// only give a time ("Monday, 8 May 2023", "13:56") or a kind of file ("Notes",
// "Log").
func topicHeadings(headings []string) []string {
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
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return !isAlnum(r) })
	for _, w := range words {
		if !nonTopicWords[w] && !isOrdinal(w) && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// nonTopicWords lists months, days, articles, and names of journals and notes.
var nonTopicWords = wordSet(`a an and the of for on in to from am pm w week day date today yesterday
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
lunes martes miércoles jueves viernes sábado domingo
janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
note notes log logs journal diary daily memory memories misc miscellaneous general other others various entry entries session sessions
captured inbox scratch untitled notizen tagebuch notas diario`)

// maxWordsForHeading is the length, in words, up to which a text may not name its
// topic and so needs its heading.
const maxWordsForHeading = 12

// structured matches a text that begins with a step, code or a table, without a
// sentence that introduces it.
var structured = regexp.MustCompile("^(?:\\d+[.)]\\s|```|~~~|\\|)")

func isStructured(text string) bool {
	return text != "" && !unicode.IsLetter(firstRune(text)) && structured.MatchString(text)
}

// headingContext returns the innermost topic headings of a text that is short or
// structured. It is empty if the text mentions the innermost one itself.
func headingContext(m memory.Memory) string {
	topics := topicHeadings(m.Heading)
	short := len(strings.Fields(m.Text)) <= maxWordsForHeading || isStructured(m.Text)
	if len(topics) == 0 || !short || mentions(m.Text, topics[len(topics)-1]) {
		return ""
	}
	const innermost = 2 // outer headings describe the file rather than the text
	topics = topics[max(0, len(topics)-innermost):]
	if mentions(m.Text, topics[0]) {
		topics = topics[1:]
	}
	return escapeInline(strings.Join(topics, " › "))
}

func mentions(text, heading string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(heading))
}
