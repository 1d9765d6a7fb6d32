package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// Expand adds synonyms to each ordinary word of a query. Names and identifiers have none.
func Expand(q memory.Query, speakers []string, synonyms func(string) []memory.Expansion) {
	if synonyms == nil {
		return
	}
	ordinary := ordinaryWords(q.Text)
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.Kind != memory.TermWord || !ordinary[t.Text] || slices.Contains(speakers, t.Text) {
			continue
		}
		for _, s := range synonyms(t.Text) {
			if !lang.IsStopWord(s.Text) {
				t.Expansions = append(t.Expansions, s)
			}
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
