package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
)

// wholeTimes returns the times that a question asks for as a whole: "What did I do
// yesterday?" It returns none if the question has a word that tells what is wanted.
func wholeTimes(named dates.Named) []dates.Span {
	for _, w := range named.Words {
		if !lang.IsStopWord(w) && !isDoing(w) && strings.ContainsFunc(w, tellsMore) {
			return nil
		}
	}
	return named.Spans
}

// tellsMore reports whether a character is none of those in Chinese, Japanese and Korean
// that ask what somebody did, and no question mark.
func tellsMore(r rune) bool { return !isDoing(string(r)) && !strings.ContainsRune("、？?。", r) }

// asksForPast reports whether a question, whose words are in lower case, asks for what held
// once. "How old is Mila?" asks for what is so now, and so does "what do old bikes cost?".
func asksForPast(f lang.Folded, words []string) bool {
	return slices.ContainsFunc(words, isPast) || has("asks past", f)
}
