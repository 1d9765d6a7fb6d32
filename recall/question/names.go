package question

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// namesIn returns the words of a question that begin with a capital letter inside it, in
// lower case.
func namesIn(text string) (names []string) {
	for i, raw := range strings.Fields(text) {
		w := bareWord(raw)
		if name := nameOf(raw); i > 0 && len(name) > 1 && unicode.IsUpper(lang.FirstRune(w)) && !lang.IsStopWord(name) {
			names = append(names, name)
		}
	}
	return names
}

// nameOf returns a word in lower case, without punctuation and possessive.
func nameOf(raw string) string {
	return strings.TrimSuffix(strings.ToLower(bareWord(raw)), "'s")
}

// ProperNames returns the names of a short English question, in lower case. The first word
// of a sentence, abbreviations in capitals and words of time are none: other words may
// stand for them.
func (in Intent) ProperNames() (names []string) {
	words := strings.Fields(in.Rest)
	if len(words) > maxKindWords || lang.IsForeign(in.Rest) {
		return nil
	}
	for i, raw := range words {
		w := strings.TrimSuffix(bareWord(raw), "'s")
		name := strings.ToLower(w)
		switch {
		case i == 0 || strings.ContainsAny(words[i-1][len(words[i-1])-1:], ".!?") || !slices.Contains(in.names, name):
		case w == strings.ToUpper(w) || isTime(name):
		default:
			names = append(names, name)
		}
	}
	return names
}

// SharesName reports whether a text has a name of the question.
func (in Intent) SharesName(text string) bool {
	return len(in.names) > 0 && lang.AnyWord(text, func(w string) bool { return slices.Contains(in.names, w) })
}

// maxSubjects bounds the names that may be the subject of a question.
const maxSubjects = 8

// Subjects returns the words, in lower case, that may name whom or what a question is
// about. They are names inside it, a possessive at its beginning ("Lena's shoes"), and words
// for the user and the assistant. Words of time are none.
func (in Intent) Subjects(text string) (names []string) {
	for i, raw := range strings.Fields(text) {
		w := strings.ToLower(bareWord(raw))
		name := strings.TrimSuffix(w, "'s")
		if isSubject := slices.Contains(in.names, name) || i == 0 && w != name || isRole(name); !isSubject || isTime(name) || lang.IsStopWord(name) {
			continue
		}
		if !slices.Contains(names, name) && len(names) < maxSubjects {
			names = append(names, name)
		}
	}
	return names
}

// AsksForAll reports whether nothing is asked but the names that [Intent.DropNames] removed:
// "tell me about Ann", "do you remember Ann?", "anything new about Ann?".
func (in Intent) AsksForAll() bool {
	return !slices.ContainsFunc(in.Terms, func(t memory.Term) bool { return !isRequestWord(t.Text) && t.Text != "new" })
}

// DropNames removes the names of the subject from the words to search for.
func (in *Intent) DropNames(names []string) {
	in.Terms = slices.DeleteFunc(slices.Clone(in.Terms), func(t memory.Term) bool {
		return t.Kind == memory.TermWord && slices.Contains(names, t.Text)
	})
	in.countWords(nil)
}
