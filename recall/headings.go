package recall

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
)

// topicHeadings gives the headings that say what stands under them, without those
// that only say when ("Monday, 8 May 2023", "13:56") or that it is written down
// ("Notes", "Log").
func topicHeadings(headings []string) []string {
	var about []string
	for _, h := range headings {
		h = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(h), ":："))
		if isTopic(h) {
			about = append(about, h)
		}
	}
	return about
}

func isTopic(heading string) bool {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return !isAlnum(r) })
	for _, w := range words {
		if !nonTopicWords[w] && !isOrdinal(w) && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// nonTopicWords words of a heading: months, days, and names for writing things down.
var nonTopicWords = wordSet(`a an and the of for on in to from am pm w week day date today yesterday
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
lunes martes miércoles jueves viernes sábado domingo
janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
note notes log logs journal diary daily memory memories misc miscellaneous general other others various entry entries session sessions
captured inbox scratch untitled notizen tagebuch notas diario`)

// maxWordsForHeading is below how many words a text may be about anything.
const maxWordsForHeading = 12

// structured finds steps, code and tables that no sentence leads in to.
var structured = regexp.MustCompile("^(?:\\d+[.)]\\s|```|~~~|\\|)")

func isStructured(text string) bool {
	return text != "" && !unicode.IsLetter(firstRune(text)) && structured.MatchString(text)
}

// headingContext gives the innermost headings that say what a text is about that is
// short or bare, where it does not name that itself.
func headingContext(m memory.Memory) string {
	about := topicHeadings(m.Heading)
	short := len(strings.Fields(m.Text)) <= maxWordsForHeading || isStructured(m.Text)
	if len(about) == 0 || !short || mentions(m.Text, about[len(about)-1]) {
		return ""
	}
	const innermost = 2 // more of them place a text in its file, not in the world
	about = about[max(0, len(about)-innermost):]
	if mentions(m.Text, about[0]) {
		about = about[1:]
	}
	return escapeInline(strings.Join(about, " › "))
}

func mentions(text, heading string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(heading))
}
