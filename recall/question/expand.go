package question

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// Expand adds expansions to each ordinary word of a query: its irregular forms
// with weight 1, and its synonyms with their own weights. Names and identifiers
// have none. It changes the lists of synonyms.
func Expand(q memory.Query, speakers []string, synonyms func(string) []memory.Expansion) {
	ordinary := ordinaryWords(q.Text)
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.Kind != memory.TermWord || !ordinary[t.Text] || slices.Contains(speakers, t.Text) {
			continue
		}
		forms, similar := inflectionsOf(t.Text), []memory.Expansion(nil)
		if synonyms != nil {
			similar = synonyms(t.Text)
		}
		t.Expansions = slices.DeleteFunc(similar, func(s memory.Expansion) bool { return lang.IsStopWord(s.Text) })
		for i, form := range forms {
			t.Expansions = slices.Insert(t.Expansions, i, memory.Expansion{Text: form, Weight: 1})
		}
	}
}

// ordinaryWords returns, in lower case, the words of a text that are no names or
// identifiers. They consist of letters alone, and only at the beginning of a
// sentence do they have a capital letter. One such occurrence is enough.
func ordinaryWords(text string) map[string]bool {
	const shortest = 3 // letters
	ordinary, startsSentence := map[string]bool{}, true
	for field := range strings.FieldsSeq(text) {
		word := strings.TrimFunc(field, func(r rune) bool { return !lang.IsAlnum(r) })
		word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s")
		first, _ := utf8.DecodeRuneInString(word)
		capital := unicode.IsUpper(first) && !(startsSentence && strings.ToUpper(word) != word)
		if utf8.RuneCountInString(word) >= shortest && !capital {
			for part := range strings.SplitSeq(word, "-") {
				if !strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) {
					ordinary[strings.ToLower(part)] = true
				}
			}
		}
		startsSentence = strings.ContainsAny(field[len(field)-1:], ".?!:")
	}
	return ordinary
}

// inflections maps each irregular form of a word to the others, which a stemmer does not join.
var inflections = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range lang.Section("question", "forms") {
		for group := range strings.SplitSeq(line.Text, ",") {
			words := strings.Fields(group)
			for i, w := range words {
				all[w] = append(all[w], slices.Delete(slices.Clone(words), i, i+1)...)
			}
		}
	}
	return all
})

// inflectionsOf returns the other forms of a word. The word may also be a base
// form with an ending: goes, going, writing, running.
func inflectionsOf(word string) []string {
	for _, base := range baseForms(word) {
		if found := inflections()[base]; found != nil {
			return found
		}
	}
	return nil
}

// baseForms returns the words that a word may be a form of, itself first.
func baseForms(word string) []string {
	all := []string{word}
	if stem, cut := strings.CutSuffix(word, "ing"); cut && len(stem) > 1 {
		all = append(all, stem, stem+"e")
		if n := len(stem); stem[n-1] == stem[n-2] {
			all = append(all, stem[:n-1])
		}
	}
	if stem, cut := strings.CutSuffix(word, "s"); cut {
		all = append(all, stem)
	}
	return all
}
