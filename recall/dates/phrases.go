package dates

import (
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/recall/phrase"
)

// maxPhraseWords is more than the number of words of any phrase.
const maxPhraseWords = maxRelativeWords + 2

// relativePhrases finds the patterns of relativeDates.
var relativePhrases = sync.OnceValue(func() *phrase.Finder {
	var patterns []string
	for _, r := range relativeDates {
		patterns = append(patterns, strings.TrimPrefix(r.pattern.String(), beforePhrase))
	}
	return phrase.NewFinder(patterns, maxPhraseWords)
})

// cjkNeeds has for each of cjkDates the texts of which a match contains one.
var cjkNeeds = sync.OnceValue(func() (needs [][]string) {
	for _, r := range cjkDates {
		needs = append(needs, phrase.NeededTexts(r.pattern.String()))
	}
	return needs
})

// mayMatch is a quick test whether a text matches the i-th of cjkDates.
func mayMatch(i int, text string) bool {
	return slices.ContainsFunc(cjkNeeds()[i], func(s string) bool { return strings.Contains(text, s) })
}
