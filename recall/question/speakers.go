package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// RemoveNames returns a question without names, which are in lower case: those of the
// workspace's speakers, and of the question's subject. Which memories have them is known
// apart, and a name tells nothing about the content. A question of little else is returned
// unchanged.
func RemoveNames(text string, names []string) string {
	if len(names) == 0 {
		return text
	}
	return removeWords(text, func(word string) bool { return slices.Contains(names, word) })
}

// removeWords returns a text without the words, in lower case, that a function accepts.
func removeWords(text string, accepts func(string) bool) string {
	var kept []string
	for field := range strings.FieldsSeq(text) {
		if word := singleWord(field); word != "" && accepts(word) {
			field = remainder(field)
		}
		if field != "" {
			kept = append(kept, field)
		}
	}
	const enough = 2 // with fewer words the question is about these words themselves
	if len(kept) < enough {
		return text
	}
	return strings.Join(kept, " ")
}

// singleWord returns the only word of a field, without punctuation and possessive.
// It is empty if there are more.
func singleWord(field string) string {
	words := language.SplitWords(strings.ToLower(field))
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

// MatchSpeaker returns the signals "named" and "other" of a memory with a speaker.
func (in Intent) MatchSpeaker(speaker string) (named, other float64) {
	switch {
	case len(in.speakers) == 0 || speaker == "":
		return 0, 0
	case slices.Contains(in.speakers, speaker):
		return 1, 0
	}
	return 0, 1
}
