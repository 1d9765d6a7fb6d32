// Package detect finds what the text of a memory shows of its category, its type and its
// language, by the phrases of package lang. A declaration in the file overrides all of them.
package detect

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// categories are detected by typical phrases in this order; the first match wins. Any
// declaration overrides them, so the phrases detect too little rather than too much.
var categories = []memory.Category{memory.CategoryTask, memory.CategoryDecision, memory.CategoryPreference, memory.CategoryLesson, memory.CategoryRisk, memory.CategoryPlan}

// Found is what a text shows of a memory.
type Found struct {
	Category memory.Category
	Type     memory.Type
	Lang     string // ISO 639-1, or empty
}

// Of returns what the text of a block of a file shows. A dated file is a daily note.
func Of(b memory.Block, file string, dated bool) Found {
	words := openingWords(b.Text)
	return Found{detectCategory(b, words), detectType(b, words, file, dated), detectLang(b.Text, words)}
}

// maxOpeningWords is how many words of a text are checked for phrases. The
// topic is clear by then.
const maxOpeningWords = 80

// detectCategory returns the category of a block. words are its opening words.
func detectCategory(b memory.Block, words []string) memory.Category {
	switch {
	case b.Kind == memory.KindCode || b.Kind == memory.KindTable || b.Kind == memory.KindHTML:
		return memory.CategoryFact
	case strings.HasPrefix(b.Text, "[ ]") || strings.HasPrefix(b.Text, "[x]") || strings.HasPrefix(b.Text, "[X]"):
		return memory.CategoryTask
	}
	for _, c := range categories {
		phrases := phrasesOf("category " + string(c))
		if phrases.matchesAt(words, 0) || c != memory.CategoryTask && phrases.occursIn(words) {
			return c
		}
	}
	if isIntroduction(words) {
		return memory.CategoryEntity
	}
	return memory.CategoryFact
}

// The words of lang/notes.md.
var (
	isVerb    = lang.Words("notes", "is")
	isArticle = lang.Words("notes", "article")
	isVague   = lang.Words("notes", "vague")
)

// isIntroduction reports whether a text begins with a name of up to four words,
// "is", and an article: it introduces a person or thing.
func isIntroduction(words []string) bool {
	for i := 1; i+2 < len(words) && i <= 4; i++ {
		if isVerb(words[i]) && isArticle(words[i+1]) {
			return !isVague(words[0])
		}
	}
	return false
}

// detectType returns the type by the text, else by the file: a dated note
// records events, other files record facts.
func detectType(b memory.Block, words []string, file string, dated bool) memory.Type {
	switch {
	case b.Kind == memory.KindList || phrasesOf("procedure").occursIn(words) || phrasesOf("purpose").occursIn(words) && phrasesOf("command").occursIn(words):
		return memory.TypeProcedural
	case path.Base(file) != "USER.md" && phrasesOf("project").occursIn(words):
		return memory.TypeProject
	case dated:
		return memory.TypeEpisodic
	}
	return memory.TypeFactual
}

// phraseSet holds sequences of words by their first word.
type phraseSet map[string][][]string

// phraseSets has the phrases of all languages by section, because people mix languages.
var phraseSets = sync.OnceValue(func() map[string]phraseSet {
	all := map[string]phraseSet{}
	for line := range lang.Lines("notes") {
		if all[line.Section] == nil {
			all[line.Section] = phraseSet{}
		}
		for phrase := range strings.FieldsSeq(line.Text) {
			words := strings.Split(phrase, "_")
			all[line.Section][words[0]] = append(all[line.Section][words[0]], words)
		}
	}
	return all
})

// phrasesOf returns the phrases of a section of lang/notes.md.
func phrasesOf(section string) phraseSet { return phraseSets()[section] }

// matchesAt reports whether a phrase begins at word i.
func (p phraseSet) matchesAt(words []string, i int) bool {
	if i >= len(words) {
		return false
	}
	return slices.ContainsFunc(p[words[i]], func(phrase []string) bool {
		return len(phrase) <= len(words)-i && slices.Equal(phrase, words[i:i+len(phrase)])
	})
}

func (p phraseSet) occursIn(words []string) bool {
	for i := range words {
		if p.matchesAt(words, i) {
			return true
		}
	}
	return false
}

// openingWords returns the first words of a text in lower case, without
// punctuation around them.
func openingWords(text string) []string {
	words := make([]string, 0, 24)
	for w := range strings.FieldsSeq(text) {
		if w = strings.ToLower(strings.Trim(w, `.,;:!?()[]{}"'*_…“”„‘’`)); w != "" {
			words = append(words, w)
		}
		if len(words) == maxOpeningWords {
			break
		}
	}
	return words
}
