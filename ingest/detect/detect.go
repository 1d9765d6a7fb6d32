// Package detect tells from a text alone what no file declares. That is the type, the category
// and the language of a memory, and who says it. It also tells text from other bytes. It is pure.
package detect

import (
	"path"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// categoryRules detect the category of a text by typical phrases in English and
// German; the first match wins. Any declaration overrides them, so they detect
// too little rather than too much.
var categoryRules = []struct {
	category memory.Category
	prefixes []string // phrases at the beginning
	phrases  []string // phrases anywhere
}{
	{memory.CategoryTask, []string{"todo", "to do", "task", "aufgabe"}, nil},
	{memory.CategoryDecision, nil, []string{"decided", "decision", "we chose", "agreed to", "agreed that", "agreed on", "settled on",
		"entschieden", "entscheidung", "beschlossen"}},
	{memory.CategoryPreference, nil, []string{"prefer", "prefers", "preferred", "favourite", "favorite", "likes to", "likes the", "likes his",
		"likes her", "likes it", "likes their", "love", "loves", "hate", "hates", "dislikes", "would rather", "rather than",
		"bevorzugt", "lieber", "mag kein", "mag keine", "mag es", "mag gern"}},
	{memory.CategoryLesson, nil, []string{"lesson", "learned that", "learnt that", "turned out", "next time", "in hindsight", "gelernt"}},
	{memory.CategoryRisk, nil, []string{"risk", "risky", "danger", "careful", "beware", "warning", "never run", "never deploy", "never use",
		"never touch", "never delete", "vorsicht", "risiko"}},
	{memory.CategoryPlan, nil, []string{"plan to", "plan for", "plan is", "plans to", "plans for", "planning", "going to", "will move",
		"will start", "will launch", "will ship", "will release", "roadmap", "intend", "intends", "geplant", "plant"}},
}

// Phrases that determine the type of a text.
var (
	procedurePhrases = newPhraseSet("how to", "steps to", "step to", "always run", "always use", "always do", "so geht")
	projectPhrases   = newPhraseSet("project", "milestone", "sprint", "deadline", "roadmap", "projekt", "meilenstein")
	purposePhrases   = newPhraseSet("to deploy", "to install", "to build", "to release", "to restore", "to reset", "to run")
	commandWords     = newPhraseSet("run", "use", "first", "then")

	categoryPrefixes, categoryPhrases = compileRules()
)

func compileRules() (prefixes, phrases []phraseSet) {
	for _, r := range categoryRules {
		prefixes, phrases = append(prefixes, newPhraseSet(r.prefixes...)), append(phrases, newPhraseSet(r.phrases...))
	}
	return prefixes, phrases
}

// maxOpeningWords is how many words of a text are checked for phrases. The
// topic is clear by then.
const maxOpeningWords = 80

// Category returns the category of a block. words are its opening words.
func Category(b memory.Block, words []string) memory.Category {
	switch {
	case b.Kind == memory.KindCode || b.Kind == memory.KindTable || b.Kind == memory.KindHTML:
		return memory.CategoryFact
	case strings.HasPrefix(b.Text, "[ ]") || strings.HasPrefix(b.Text, "[x]") || strings.HasPrefix(b.Text, "[X]"):
		return memory.CategoryTask
	}
	for i, r := range categoryRules {
		if categoryPrefixes[i].matchesAt(words, 0) || categoryPhrases[i].occursIn(words) {
			return r.category
		}
	}
	if isIntroduction(words) {
		return memory.CategoryEntity
	}
	return memory.CategoryFact
}

var (
	isVerbs       = wordSet("is ist")
	articles      = wordSet("a an the our my his her ein eine der die unser unsere")
	vagueSubjects = wordSet("the this that these it there here what der die das es dies hier")
)

// isIntroduction reports whether a text begins with a name of up to four words,
// "is", and an article: it introduces a person or thing.
func isIntroduction(words []string) bool {
	for i := 1; i+2 < len(words) && i <= 4; i++ {
		if isVerbs[words[i]] && articles[words[i+1]] {
			return !vagueSubjects[words[0]]
		}
	}
	return false
}

// Type returns the type by the text, else by the file: a dated note
// records events, other files record facts.
func Type(b memory.Block, words []string, file string, dated bool) memory.Type {
	switch {
	case b.Kind == memory.KindList || procedurePhrases.occursIn(words) || purposePhrases.occursIn(words) && commandWords.occursIn(words):
		return memory.TypeProcedural
	case path.Base(file) != "USER.md" && projectPhrases.occursIn(words):
		return memory.TypeProject
	case dated:
		return memory.TypeEpisodic
	}
	return memory.TypeFactual
}

// phraseSet holds sequences of words by their first word.
type phraseSet map[string][][]string

func newPhraseSet(list ...string) phraseSet {
	p := phraseSet{}
	for _, s := range list {
		words := strings.Fields(s)
		p[words[0]] = append(p[words[0]], words)
	}
	return p
}

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

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// OpeningWords returns the first words of a text in lower case, without
// punctuation around them.
func OpeningWords(text string) []string {
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
