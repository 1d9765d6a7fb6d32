package question

import (
	"regexp"
	"slices"

	"github.com/memory-tiered/memory/recall/language"
)

// whoQuestion matches a question that asks who somebody is, and captures whom it names.
var whoQuestion = regexp.MustCompile(`(?i)^\s*(?:who(?:['’]s| is| was)|wer (?:ist|war)|qui est|qui[eé]n es)\s+([^?.!,:;]+?)\s*[?.!]*\s*$`)

// maxWhoWords bounds the words of a name in "who is Ann Lee?".
const maxWhoWords = 3

// personIn returns the words of the name in "who is Ann Lee?", folded as in labels. Other
// questions have none, and so has "who is the baker?".
func personIn(text string) []string {
	match := whoQuestion.FindStringSubmatch(text)
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
