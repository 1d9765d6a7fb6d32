package recall

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// intent is what a question asks for besides its terms: whom it names, what kind
// of answer it wants, and which time it is about.
type intent struct {
	speakers    []string // named speakers, by their first names in lower case
	wantsTime   bool
	wantsNumber bool
	wantsPast   bool // what held once
	now         time.Time
	words       map[string]bool // all of them, folded as in labels
	wordCount   float64         // words to search for, without the names of speakers
	namedDates
	event       *timeReference // the event that gives the time; nil: none
	eventSpan   span           // the time that it gives, once resolved
	identifiers []string       // in lower case
}

// parseIntent reads the intent of a question. speakers lists those of the
// workspace; now is in the workspace's time zone.
func parseIntent(q memory.Query, speakers []string, now time.Time) intent {
	lower := strings.ToLower(q.Text)
	words := splitWords(lower)
	times := parseTimeReferences(q.Text, now)
	in := intent{
		wantsTime:   slices.Contains(words, "when") || slices.Contains(words, "date") || strings.Contains(lower, "how long"),
		namedDates:  parseNamedDates(splitWords(times.rest), now),
		wantsNumber: strings.Contains(lower, "how many") || strings.Contains(lower, "how much") || strings.Contains(lower, "how often"),
	}
	in.wantsPast, in.words = asksForPast(lower, words), make(map[string]bool, len(words))
	for _, w := range words {
		in.words[foldPlural(w)] = true
	}
	in.now = now
	in.spans = append(in.spans, times.spans...)
	in.event = times.event
	for _, name := range speakers {
		if slices.Contains(words, name) {
			in.speakers = append(in.speakers, name)
		}
	}
	slices.Sort(in.speakers)
	for _, t := range q.Terms {
		in.wordCount += countWords(t, speakers)
		if t.Kind == memory.TermIdentifier {
			in.identifiers = append(in.identifiers, strings.ToLower(t.Text))
		}
	}
	return in
}

// countWords counts the words of a term: in CJK about one for two characters, and
// none for the name of a speaker, which is a field of its own.
func countWords(t memory.Term, speakers []string) float64 {
	switch {
	case t.Kind == memory.TermCJK:
		return max(1, float64(utf8.RuneCountInString(t.Text))/2)
	case slices.Contains(speakers, t.Text):
		return 0
	}
	return 1
}

// splitWords returns the words of a text in lower case, without the possessive.
func splitWords(lower string) []string {
	words := strings.FieldsFunc(lower, func(r rune) bool { return !isAlnum(r) && r != '\'' && r != '’' })
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s"), "'")
	}
	return words
}

// removeSpeakers returns a question without the names of the workspace's speakers.
// The speaker is a field of its own, and a name tells nothing about the content. A
// question of little else is returned unchanged.
func removeSpeakers(text string, speakers []string) string {
	if len(speakers) == 0 {
		return text
	}
	var kept []string
	for field := range strings.FieldsSeq(text) {
		if word := singleWord(field); word != "" && slices.Contains(speakers, word) {
			field = remainder(field)
		}
		if field != "" {
			kept = append(kept, field)
		}
	}
	const enough = 2 // with fewer words the question is about the name itself
	if len(kept) < enough {
		return text
	}
	return strings.Join(kept, " ")
}

// singleWord returns the only word of a field, without punctuation and possessive.
// It is empty if there are more.
func singleWord(field string) string {
	words := splitWords(strings.ToLower(field))
	if len(words) != 1 {
		return ""
	}
	return words[0]
}

// remainder returns what is left of a field without its name: a question mark
// matters to the embedder, a comma does not.
func remainder(field string) string {
	if strings.HasSuffix(field, "?") {
		return "?"
	}
	return ""
}

// Words that an answer to "when" and to "how many" contains.
var (
	timeWords = wordSet(`yesterday today tomorrow tonight last next ago week weeks weekend month months year years day days morning evening night
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december`)
	numberWords = wordSet("one two three four five six seven eight nine ten couple few several first second third")
)

// hasTimeWord reports whether a text has a word of time, a year or an ordinal.
func hasTimeWord(text string) bool {
	return anyWord(text, func(w string) bool {
		return timeWords[w] || len(w) == 4 && allDigits(w) || isOrdinal(w) && len(w) <= 4
	})
}

// hasNumber reports whether a text has a number, in digits or as a word.
func hasNumber(text string) bool {
	return anyWord(text, func(w string) bool { return numberWords[w] || allDigits(w) })
}

func anyWord(text string, matches func(string) bool) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !isAlnum(r) && r != '_' }) {
		if matches(w) {
			return true
		}
	}
	return false
}

func allDigits(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
