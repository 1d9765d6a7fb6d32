package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/language"
)

// maxWhoWords bounds the words of a name in "who is Ann Lee?".
const maxWhoWords = 3

// nameAfter returns the words of the name in a question such as "who is Ann Lee?", which
// begins with a phrase of a section. They are folded as in labels. Other questions have none,
// and so has "who is the baker?".
func nameAfter(section, text string, f lang.Folded) []string {
	_, end, found := phrasesOf(section).Find(f)
	if !found {
		return nil
	}
	rest := strings.TrimRight(text[end:], "?.! ")
	name := language.FoldedWords(rest)
	if len(name) == 0 || len(name) > maxWhoWords || strings.ContainsAny(rest, "?.!,:;") || slices.ContainsFunc(name, language.IsStopWord) {
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
		if !isBeing(strings.ToLower(rest[0])) {
			return false
		}
		rest = rest[1:]
	}
	return isDefining(strings.ToLower(rest[0])) || strings.HasSuffix(strings.ReplaceAll(rest[0], "’", "'"), "'s")
}

// maxDefinition is the number of words after a name that tell whether it is defined.
const maxDefinition = 3
