package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// RemoveNames returns a question without the names of the workspace's speakers, which are in
// lower case. Which memories have them is known apart, and a name tells nothing about the
// content. With fewer than two other words, the question is about the names themselves, and
// returned unchanged.
func RemoveNames(text string, names []string) string {
	const enough = 2
	return removeWords(text, names, enough)
}

// RemoveSubject returns a question without the names of its subject, if a word is left.
func RemoveSubject(text string, names []string) string { return removeWords(text, names, 1) }

// removeWords returns a text without some words, which are in lower case. If fewer words
// than enough are left, it returns the text unchanged.
func removeWords(text string, removed []string, enough int) string {
	if len(removed) == 0 {
		return text
	}
	var kept []string
	for field := range strings.FieldsSeq(text) {
		if word := singleWord(field); word != "" && slices.Contains(removed, word) {
			field = remainder(field)
		}
		if field != "" {
			kept = append(kept, field)
		}
	}
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
