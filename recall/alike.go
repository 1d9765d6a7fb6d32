package recall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// expand gives each plain word of a query the words that count for it as well:
// its irregular forms in full, and those that mean nearly the same for as much
// as they do. Names and identifiers mean nothing but themselves.
func expand(q memory.Query, speakers []string, alike func(string) []memory.Expansion) {
	plain := ordinaryWords(q.Text)
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.Kind != memory.TermWord || !plain[t.Text] || slices.Contains(speakers, t.Text) {
			continue
		}
		for _, form := range inflectionsOf(t.Text) {
			t.Expansions = append(t.Expansions, memory.Expansion{Text: form, Weight: 1})
		}
		if alike == nil {
			continue
		}
		for _, a := range alike(t.Text) {
			if !stopWords[a.Text] {
				t.Expansions = append(t.Expansions, a)
			}
		}
	}
}

// ordinaryWords are the words of a text, in lower case, that stand somewhere in it
// as words do: of letters alone and, but at the beginning of a sentence, without
// a capital.
func ordinaryWords(text string) map[string]bool {
	const shortest = 3
	plain, begins := map[string]bool{}, true
	for field := range strings.FieldsSeq(text) {
		word := strings.TrimFunc(field, func(r rune) bool { return !isAlnum(r) })
		word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s")
		first, _ := utf8.DecodeRuneInString(word)
		capital := unicode.IsUpper(first) && !(begins && strings.ToUpper(word) != word)
		if utf8.RuneCountInString(word) >= shortest && !capital {
			for part := range strings.SplitSeq(word, "-") {
				if !strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) {
					plain[strings.ToLower(part)] = true
				}
			}
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".?!:")
	}
	return plain
}
