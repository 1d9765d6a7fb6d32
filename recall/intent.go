package recall

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// intent are what a question says beside its words: whom it names, what kind of
// answer it wants, which dates it is about.
type intent struct {
	speakers    []string // speakers, by their first names in lower case
	wantsTime   bool     // it wants a time
	wantsNumber bool     // it wants a number
	wordCount   float64  // how many it has to look for, names of speakers left out
	namedDates
	event       *timeReference // to what happened it places what it asks for; nil: to nothing
	eventSpan   span           // and when that is, once it has been found
	identifiers []string       // as they stand, in lower case
}

func parseIntent(q memory.Query, speakers []string, now time.Time) intent {
	low := strings.ToLower(q.Text)
	words := splitWords(low)
	related := parseTimeReferences(q.Text, now)
	c := intent{
		wantsTime:   slices.Contains(words, "when") || slices.Contains(words, "date") || strings.Contains(low, "how long"),
		namedDates:  parseNamedDates(splitWords(related.rest), now),
		wantsNumber: strings.Contains(low, "how many") || strings.Contains(low, "how much") || strings.Contains(low, "how often"),
	}
	c.spans = append(c.spans, related.spans...)
	c.event = related.event
	for _, name := range speakers {
		if slices.Contains(words, name) {
			c.speakers = append(c.speakers, name)
		}
	}
	slices.Sort(c.speakers)
	for _, t := range q.Terms {
		c.wordCount += countWords(t, speakers)
		if t.Kind == memory.TermIdentifier {
			c.identifiers = append(c.identifiers, strings.ToLower(t.Text))
		}
	}
	return c
}

// countWords counts a term. In writing without spaces two characters make a word,
// more or less; who speaks is a field of its own.
func countWords(t memory.Term, speakers []string) float64 {
	switch {
	case t.Kind == memory.TermCJK:
		return max(1, float64(utf8.RuneCountInString(t.Text))/2)
	case slices.Contains(speakers, t.Text):
		return 0
	}
	return 1
}

// splitWords gives the words of a text, a possessive taken off.
func splitWords(low string) []string {
	words := strings.FieldsFunc(low, func(r rune) bool { return !isAlnum(r) && r != '\'' && r != '’' })
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s"), "'")
	}
	return words
}

// removeSpeakers is a question without the names of those who speak in the workspace:
// who speaks is a field of its own, and a name says nothing about what was said.
// A question that is little else stays as it is.
func removeSpeakers(text string, speakers []string) string {
	if len(speakers) == 0 {
		return text
	}
	var kept []string
	for field := range strings.FieldsSeq(text) {
		if bare := singleWord(field); bare != "" && slices.Contains(speakers, bare) {
			field = remainder(field)
		}
		if field != "" {
			kept = append(kept, field)
		}
	}
	const enough = 2 // fewer words ask for the name itself
	if len(kept) < enough {
		return text
	}
	return strings.Join(kept, " ")
}

// singleWord is the word in a field, without what stands round it and without a
// possessive.
func singleWord(field string) string {
	words := splitWords(strings.ToLower(field))
	if len(words) != 1 {
		return ""
	}
	return words[0]
}

// remainder is what stays of a field when the name is taken out: a closing
// question mark says something, a comma does not.
func remainder(field string) string {
	if strings.HasSuffix(field, "?") {
		return "?"
	}
	return ""
}

// Words of time and of number: what an answer to "when" and to "how many" holds.
var (
	timeWords = wordSet(`yesterday today tomorrow tonight last next ago week weeks weekend month months year years day days morning evening night
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december`)
	numberWords = wordSet("one two three four five six seven eight nine ten couple few several first second third")
)

// hasTimeWord says whether a text has a word of time, a year or an ordinal.
func hasTimeWord(text string) bool {
	return anyWord(text, func(w string) bool {
		return timeWords[w] || len(w) == 4 && allDigits(w) || isOrdinal(w) && len(w) <= 4
	})
}

// hasNumber says whether a text has a number, in figures or in a word.
func hasNumber(text string) bool {
	return anyWord(text, func(w string) bool { return numberWords[w] || allDigits(w) })
}

func anyWord(text string, is func(string) bool) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !isAlnum(r) && r != '_' }) {
		if is(w) {
			return true
		}
	}
	return false
}

func allDigits(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
