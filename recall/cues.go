package recall

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// cues are what a question says beside its words: whom it names, what kind of
// answer it wants, which dates it is about.
type cues struct {
	named []string // speakers, by their first names in lower case
	when  bool     // it wants a time
	many  bool     // it wants a number
	words float64  // how many it has to look for, names of speakers left out
	dates
	related     *related // to what happened it places what it asks for; nil: to nothing
	event       span     // and when that is, once it has been found
	identifiers []string // as they stand, in lower case
}

func cuesOf(q memory.Query, speakers []string, now time.Time) cues {
	low := strings.ToLower(q.Text)
	words := cutWords(low)
	related := relationsOf(q.Text, now)
	c := cues{
		when:  slices.Contains(words, "when") || slices.Contains(words, "date") || strings.Contains(low, "how long"),
		dates: datesOf(cutWords(related.rest), now),
		many:  strings.Contains(low, "how many") || strings.Contains(low, "how much") || strings.Contains(low, "how often"),
	}
	c.spans = append(c.spans, related.spans...)
	c.related = related.event
	for _, name := range speakers {
		if slices.Contains(words, name) {
			c.named = append(c.named, name)
		}
	}
	slices.Sort(c.named)
	for _, t := range q.Terms {
		c.words += wordsIn(t, speakers)
		if t.Kind == memory.TermIdentifier {
			c.identifiers = append(c.identifiers, strings.ToLower(t.Text))
		}
	}
	return c
}

// wordsIn counts a term. In writing without spaces two characters make a word,
// more or less; who speaks is a field of its own.
func wordsIn(t memory.Term, speakers []string) float64 {
	switch {
	case t.Kind == memory.TermCJK:
		return max(1, float64(utf8.RuneCountInString(t.Text))/2)
	case slices.Contains(speakers, t.Text):
		return 0
	}
	return 1
}

// cutWords gives the words of a text, a possessive taken off.
func cutWords(low string) []string {
	words := strings.FieldsFunc(low, func(r rune) bool { return !isAlnum(r) && r != '\'' && r != '’' })
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s"), "'")
	}
	return words
}

// unnamed is a question without the names of those who speak in the workspace:
// who speaks is a field of its own, and a name says nothing about what was said.
// A question that is little else stays as it is.
func unnamed(text string, speakers []string) string {
	if len(speakers) == 0 {
		return text
	}
	var kept []string
	for field := range strings.FieldsSeq(text) {
		if bare := bareName(field); bare != "" && slices.Contains(speakers, bare) {
			field = afterName(field)
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

// bareName is the word in a field, without what stands round it and without a
// possessive.
func bareName(field string) string {
	words := cutWords(strings.ToLower(field))
	if len(words) != 1 {
		return ""
	}
	return words[0]
}

// afterName is what stays of a field when the name is taken out: a closing
// question mark says something, a comma does not.
func afterName(field string) string {
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

// saysTime says whether a text has a word of time, a year or an ordinal.
func saysTime(text string) bool {
	return hasWord(text, func(w string) bool {
		return timeWords[w] || len(w) == 4 && allDigits(w) || isOrdinal(w) && len(w) <= 4
	})
}

// saysNumber says whether a text has a number, in figures or in a word.
func saysNumber(text string) bool {
	return hasWord(text, func(w string) bool { return numberWords[w] || allDigits(w) })
}

func hasWord(text string, is func(string) bool) bool {
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
