package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// Nameless returns a short English question without the names in it: "What is 's address?"
// of "What is Ann's address?". It is empty if there are no names, or if the rest tells little.
// In a prompt that does not ask, names and words may stand for several things: "auth Redis".
func (in Intent) Nameless(text string) string {
	names := in.properNames()
	if len(names) == 0 || !Asks(text) && !AsksWhether(text, names) || len(strings.Fields(in.Rest)) > maxKindWords || language.IsForeign(in.Rest) {
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
		for _, w := range language.SplitWords(strings.ToLower(text)) {
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
	return language.SameStem(w, strings.ToLower(t.Text)) || slices.ContainsFunc(t.Expansions, func(e memory.Expansion) bool { return e.Weight == 1 && e.Text == w })
}
