package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/recall/language"
)

// answerKinds is what a text must have to answer a question: a time, a duration, a number,
// a person. Only English questions show it.
type answerKinds struct{ time, duration, number, person bool }

// maxKindWords is the number of words up to which a text is a question of one kind. A long
// prompt has "when" and "who" for other reasons.
const maxKindWords = 24

var (
	// amounts are adjectives and adverbs that ask for a number after "how".
	amounts = language.WordSet("much many often far tall big strong old heavy large high deep wide fast hot small")
	// measures are things that are numbers, after "what" and "which".
	measures = language.WordSet("number rate rent price cost costs bill salary size version limit percentage")
	// auxiliaries follow the "when" of a question, but not that of "when I deploy".
	auxiliaries = language.WordSet("is are was were do does did will would can could shall should must may might has have had isn't aren't wasn't weren't don't doesn't didn't won't can't")
	// beforeQuestionWords are words before the "who" of a question, but not before that of
	// "a man who".
	beforeQuestionWords = language.WordSet("and or but since until till by from for with to at of about")

	// afterNames are verbs in other forms than -s and -ed, which follow a name.
	afterNames = language.WordSet("and began came can could did found gave got had kept knew left made may met must paid put ran said saw sent should sold took told went will won wrote")

	// people are words for a person.
	people = language.WordSet(`wife husband spouse mother father mum mom dad son daughter brother sister neighbour neighbours neighbor neighbors boss manager
colleague colleagues doctor dentist aunt uncle friend friends team everyone everybody nobody somebody someone people person she he they mr mrs ms dr`)
)

// wantedKinds reads what kind of answer a question wants.
func wantedKinds(text string) (wants answerKinds) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 || len(words) > maxKindWords {
		return wants
	}
	after := func(i int) string {
		if i+1 < len(words) {
			return bareWord(words[i+1])
		}
		return ""
	}
	for i, raw := range words {
		w, next := bareWord(raw), after(i)
		asks := i == 0 || endsClause(words[i-1]) || beforeQuestionWords[words[i-1]]
		switch {
		case w == "when":
			wants.time = wants.time || asks && auxiliaries[next]
		case w == "who" || w == "whose" || w == "whom":
			wants.person = wants.person || asks
		case w == "what" || w == "which":
			wants.time = wants.time || slices.Contains([]string{"time", "hour", "day", "date"}, next)
		case w == "how":
			wants.time = wants.time || next == "early" || next == "late"
			wants.duration = wants.duration || next == "long"
			wants.number = wants.number || amounts[next]
		}
	}
	if first := strings.TrimSuffix(bareWord(words[0]), "'s"); first == "what" || first == "which" {
		for _, w := range words {
			wants.number = wants.number || measures[bareWord(w)]
			wants.time = wants.time || bareWord(w) == "deadline"
		}
	}
	return wants
}

// bareWord returns a word without the punctuation around it.
func bareWord(w string) string {
	return strings.TrimFunc(strings.ReplaceAll(w, "’", "'"), func(r rune) bool { return !language.IsAlnum(r) })
}

// endsClause reports whether a word ends with punctuation.
func endsClause(w string) bool {
	last, _ := utf8.DecodeLastRuneInString(w)
	return strings.ContainsRune(",.;:?!-–", last)
}

// LacksAnswer reports whether a question asks for a time, a duration, a number or a person,
// and a text has none.
func (in Intent) LacksAnswer(text string) bool {
	return in.kinds.time && !hasAnyTime(text) || in.kinds.duration && !hasDuration(text) || in.kinds.number && !hasAmount(text) || in.kinds.person && !hasPerson(text)
}

// hasPerson reports whether a text has a word for a person, or a capital letter inside a
// sentence. The first word of a sentence may be a name if a verb follows.
func hasPerson(text string) bool {
	first, capital := true, false
	for raw := range strings.FieldsSeq(text) {
		w := bareWord(raw)
		if w == "" {
			continue
		}
		lower := strings.ToLower(w)
		isCapital := unicode.IsUpper(language.FirstRune(w))
		if people[strings.TrimSuffix(lower, "'s")] || isCapital && !first || capital && (strings.HasSuffix(lower, "s") || strings.HasSuffix(lower, "ed") || afterNames[lower]) {
			return true
		}
		capital, first = isCapital && first && !language.IsStopWord(lower), strings.ContainsAny(raw[len(raw)-1:], ".!?:;")
	}
	return false
}
