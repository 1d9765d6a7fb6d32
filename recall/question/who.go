package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// whoQuestion matches a question that asks who somebody is, and captures whom it names.
var whoQuestion = lazyregexp.New(`(?i)^\s*(?:who(?:['’]s| is| was)|wer (?:ist|war)|qui est|qui[eé]n es)\s+([^?.!,:;]+?)\s*[?.!]*\s*$`)

// whatQuestion matches a question that asks what something is, and captures it.
var whatQuestion = lazyregexp.New(`(?i)^\s*(?:what(?:['’]s| is| was)|was (?:ist|war)|qu['’]est-ce que(?: c['’]est)?|qué es)\s+([^?.!,:;]+?)\s*[?.!]*\s*$`)

// maxWhoWords bounds the words of a name in "who is Ann Lee?".
const maxWhoWords = 3

// personIn returns the words of the name in "who is Ann Lee?", folded as in labels. Other
// questions have none, and so has "who is the baker?".
func personIn(text string) []string { return nameAfter(whoQuestion, text) }

// thingIn returns the words of the name in "what is Merkur?", or of personIn.
func thingIn(text string) []string {
	if name := personIn(text); name != nil {
		return name
	}
	return nameAfter(whatQuestion, text)
}

// nameAfter returns the words that a question captures, folded as in labels.
func nameAfter(question *lazyregexp.Regexp, text string) []string {
	match := question.FindStringSubmatch(text)
	if match == nil {
		return nil
	}
	name := language.FoldedWords(match[1])
	if len(name) > maxWhoWords || slices.ContainsFunc(name, language.IsStopWord) {
		return nil
	}
	return name
}

// AsksWho reports whether a question asks who somebody is, and a name begins with the
// words for that person: "who is Ann?" and "Ann Lee".
func (in Intent) AsksWho(names [][]string) bool {
	return len(in.person) > 0 && slices.ContainsFunc(names, func(name []string) bool {
		return len(name) >= len(in.person) && slices.Equal(name[:len(in.person)], in.person)
	})
}

// beingWords and definingWords are the words of "Ann is my niece" after the name.
var (
	beingWords    = language.WordSet("is was are ist war sind est était es era")
	definingWords = language.WordSet(`a an the my our your his her their one ein eine einer der die das mein meine unser unsere sein seine ihr ihre
un une le la mon ma notre son sa una el los las mi nuestro nuestra su`)
)

// IsDefinition reports whether a question asks who or what something is, and a text begins by
// telling it. Examples: "Ann is my niece", "Ann is Bert's niece", "Ann, my niece, is ill".
func (in Intent) IsDefinition(text string) bool {
	if len(in.thing) == 0 {
		return false
	}
	words := strings.Fields(text)
	words = words[:min(len(words), len(in.thing)+maxDefinition)]
	for len(words) > 0 && bareWord(words[0]) == "" { // a bullet
		words = words[1:]
	}
	n := len(in.thing)
	if len(words) < n+2 || !slices.Equal(language.FoldedWords(strings.Join(words[:n], " ")), in.thing) {
		return false
	}
	rest := words[n:]
	if isApposition := strings.HasSuffix(words[n-1], ","); !isApposition {
		if !beingWords[strings.ToLower(rest[0])] {
			return false
		}
		rest = rest[1:]
	}
	return definingWords[strings.ToLower(rest[0])] || strings.HasSuffix(strings.ReplaceAll(rest[0], "’", "'"), "'s")
}

// maxDefinition is the number of words after a name that tell whether it is defined.
const maxDefinition = 3
