package question

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// namesIn returns the words of a question that begin with a capital letter inside it, in
// lower case.
func namesIn(text string) (names []string) {
	for i, raw := range strings.Fields(text) {
		w := bareWord(raw)
		if name := nameOf(raw); i > 0 && len(name) > 1 && unicode.IsUpper(language.FirstRune(w)) && !language.IsStopWord(name) {
			names = append(names, name)
		}
	}
	return names
}

// nameOf returns a word in lower case, without punctuation and possessive.
func nameOf(raw string) string {
	return strings.TrimSuffix(strings.ToLower(bareWord(raw)), "'s")
}

// searches reports whether a word, in lower case, is a term of the question.
func (in Intent) searches(w string) bool {
	return slices.ContainsFunc(in.Terms, func(t memory.Term) bool { return t.Kind == memory.TermWord && t.Text == w })
}

// ProperNames returns the names of a short English question, in lower case. The first word
// of a sentence, abbreviations in capitals and words of time are none: other words may
// stand for them.
func (in Intent) ProperNames() (names []string) {
	words := strings.Fields(in.Rest)
	if len(words) > maxKindWords || language.IsForeign(in.Rest) {
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
	return len(in.names) > 0 && language.AnyWord(text, func(w string) bool { return slices.Contains(in.names, w) })
}

// AddNames adds names, which are in lower case, that the question has without a capital
// letter inside it.
func (in *Intent) AddNames(names []string) { in.names = slices.Concat(in.names, names) }

// StopWordNames returns the stop words, in lower case, that may be names in a question: "Will"
// of "When does Will work?". They have a capital letter inside it, and most other words have
// none. Articles, prepositions and polite forms ("Sie") are no names.
func StopWordNames(text string) (words []string) {
	capitals, previous := 0, "."
	fields := strings.Fields(text)
	for _, raw := range fields {
		w := bareWord(raw)
		startsSentence := strings.ContainsAny(previous[len(previous)-1:], ".?!:")
		previous = raw
		if !unicode.IsUpper(language.FirstRune(w)) {
			continue
		}
		capitals++
		if name := nameOf(raw); !startsSentence && len(name) > 1 && w[1:] == strings.ToLower(w)[1:] && language.IsStopWord(name) && !isNoName(name) && !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	if 2*capitals > len(fields)+1 {
		return nil // a title
	}
	return words
}

// AddNamedWords adds words, in lower case, to those to search for. Stop words that are
// searched for because nothing else is asked leave.
func (in *Intent) AddNamedWords(words []string) {
	in.Terms = slices.DeleteFunc(slices.Clone(in.Terms), func(t memory.Term) bool { return t.Kind == memory.TermWord && language.IsStopWord(t.Text) })
	for _, w := range words {
		in.Terms = append(in.Terms, memory.Term{Text: w, Kind: memory.TermWord})
	}
	in.AddNames(words)
	in.countWords(in.speakers)
}

// PossibleNames returns, in lower case, the words that may be names, but are not written as
// such. They are in small letters, or at the beginning of the question. None has a digit or
// follows an article ("the printer").
func (in Intent) PossibleNames(text string) (words []string) {
	previous := ""
	for raw := range strings.FieldsSeq(text) {
		w := nameOf(raw)
		if !isArticle(previous) && in.searches(w) && !slices.Contains(in.names, w) && !isRequestWord(w) && !strings.ContainsFunc(w, unicode.IsDigit) {
			words = append(words, w)
		}
		previous = w
	}
	return words
}

// Phrases returns the pairs of words, in lower case, that follow an article: "old house" of
// "the alarm of the old house". Both are searched for.
func (in Intent) Phrases(text string) (pairs [][]string) {
	fields := strings.Fields(text)
	for i := range fields {
		fields[i] = nameOf(fields[i])
	}
	for i := 2; i < len(fields); i++ {
		if isArticle(fields[i-2]) && in.searches(fields[i-1]) && in.searches(fields[i]) {
			pairs = append(pairs, fields[i-1:i+1])
		}
	}
	return pairs
}

// NameForms returns a word, and the name whose possessive without an apostrophe it may be:
// lenas, lena.
func NameForms(word string) []string {
	const shortest = 3 // letters
	if name, isCut := strings.CutSuffix(word, "s"); isCut && len(name) >= shortest {
		return []string{word, name}
	}
	return []string{word}
}

// WrittenName returns the name that a word is, as some notes tell: the word itself, or without
// the s of a possessive. It is empty if fewer than least tell, or have it in small letters.
func WrittenName(notes []memory.Memory, word string, least int) string {
	if len(notes) < least {
		return ""
	}
	for _, form := range NameForms(word) {
		var c language.Capitals
		for i := range notes {
			c.Count(notes[i].Text, form)
		}
		if c.ShowName(least) {
			return form
		}
		if c.Any() {
			return ""
		}
	}
	return ""
}

// maxSubjects bounds the names that may be the subject of a question.
const maxSubjects = 8

// Subjects returns the words, in lower case, that may name whom or what a question is
// about. They are names inside it, a possessive at its beginning ("Lena's shoes"), and words
// for the user and the assistant. Words of time and names in an event are none.
func (in Intent) Subjects(text string) (names []string) {
	for i, raw := range strings.Fields(text) {
		w := strings.ToLower(bareWord(raw))
		name := strings.TrimSuffix(w, "'s")
		if isSubject := slices.Contains(in.names, name) || i == 0 && w != name || isRole(name); !isSubject || isTime(name) || language.IsStopWord(name) {
			continue
		}
		if in.Event != nil && language.AnyWord(in.Event.Phrase, func(w string) bool { return w == name }) {
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

// maxLabelWords bounds the words of a prompt that names a thing instead of asking for it.
const maxLabelWords = 5

// IsLabelOf reports whether a prompt asks for a thing of a subject by naming it: "Ann phone
// number", "ann's shoes". It begins with the name and has no stop word, as "Ann is here" has.
func IsLabelOf(prompt string, names []string) bool {
	words := strings.Fields(prompt)
	return len(words) > 0 && len(words) <= maxLabelWords && slices.Contains(names, nameOf(words[0])) &&
		!slices.ContainsFunc(words[1:], func(raw string) bool { return language.IsStopWord(nameOf(raw)) })
}

// AsksWhether reports whether a prompt without a question mark asks by the order of its words:
// "does ann eat meat". A name comes after the verb at its beginning.
func AsksWhether(prompt string, names []string) bool {
	words := strings.Fields(strings.ToLower(prompt))
	return len(words) > 2 && isAuxiliary(bareWord(words[0])) && slices.ContainsFunc(words[1:3], func(w string) bool { return slices.Contains(names, bareWord(w)) })
}

// DropNames removes the names of the subject from the words to search for.
func (in *Intent) DropNames(names []string) {
	in.Terms = slices.DeleteFunc(slices.Clone(in.Terms), func(t memory.Term) bool {
		return t.Kind == memory.TermWord && slices.Contains(names, t.Text)
	})
	in.countWords(nil)
}
