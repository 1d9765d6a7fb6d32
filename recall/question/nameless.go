package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
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
	words := lang.SplitWords(strings.ToLower(field))
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

// Nameless returns a short English question without the names in it: "What is 's address?"
// of "What is Ann's address?". It is empty if there are no names, or if the rest tells little.
// In a prompt that does not ask, names and words may stand for several things: "auth Redis".
func (in Intent) Nameless(text string) string {
	names := in.properNames()
	if len(names) == 0 || !Asks(text) || len(strings.Fields(in.Rest)) > maxKindWords || lang.IsForeign(in.Rest) {
		return ""
	}
	isPlain := func(t memory.Term) bool { return isPlainVerb(strings.ToLower(t.Text)) }
	if rest := in.restTerms(names); len(rest) == 0 || !slices.ContainsFunc(rest, func(t memory.Term) bool { return !isPlain(t) }) {
		return ""
	}
	return removeWords(in.Rest, names, 1)
}

// properNames returns the names of a question, without words of time.
func (in Intent) properNames() []string {
	return slices.DeleteFunc(slices.Clone(in.names), isTime)
}

// restTerms returns the terms of a question that are no names.
func (in Intent) restTerms(names []string) (rest []memory.Term) {
	for _, t := range in.Terms {
		if !slices.Contains(names, strings.ToLower(t.Text)) {
			rest = append(rest, t)
		}
	}
	return rest
}

// SharesNamesAlone reports whether a note or its headings have a name of the question, and no
// other word of it.
func (in Intent) SharesNamesAlone(m *memory.Memory) bool {
	names := in.properNames()
	rest, hasName := in.restTerms(names), false
	for _, text := range append([]string{m.Text}, m.Heading...) {
		for _, w := range lang.SplitWords(strings.ToLower(text)) {
			hasName = hasName || slices.Contains(names, w)
			if slices.ContainsFunc(rest, func(t memory.Term) bool { return isFormOf(w, t) }) {
				return false
			}
		}
	}
	return hasName
}

// isFormOf reports whether a word is a term or another form of it.
func isFormOf(w string, t memory.Term) bool {
	return lang.SameStem(w, strings.ToLower(t.Text)) || slices.ContainsFunc(t.Expansions, func(e memory.Expansion) bool { return e.Weight == 1 && e.Text == w })
}
