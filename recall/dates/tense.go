package dates

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/lang"
)

// tense tells whether a question is about what happened or about what is planned.
type tense uint8

const (
	unknownTense tense = iota // a habit, or both
	pastTense
	futureTense
	eitherTense // a past plan
)

// tenseOf reads the tense from the verbs of a sentence and its words of planning. A past
// plan ("what was planned for Friday") may be of either time.
func (r *reader) tenseOf(from, to int) tense {
	language := r.languageOf(from, to)
	isPast, isParticiple, isPresent, isPlan, isFuture, isHaving := false, false, false, false, false, false
	for i := from; i < to; i++ {
		word := r.tokens[i].lower
		is := func(class string) bool { return r.grammar.isVerb(word, class, language) }
		switch {
		case is("plan"), i == to-1 && is("plan at the end"):
			isPlan = true
		case is("future"):
			isFuture = true
		case is("past"):
			isPast = true
		case is("past participle"):
			isParticiple = true
		case is("participle after have"):
			isPast = isPast || isHaving || i+1 < to && r.grammar.isVerb(r.tokens[i+1].lower, "have", language)
		}
		isHaving, isPresent = isHaving || is("have"), isPresent || is("present")
	}
	isPast = isPast || isParticiple && !isPresent
	switch {
	case isPast && isPlan:
		return eitherTense
	case isPast:
		return pastTense
	case isPlan || isFuture:
		return futureTense
	}
	return unknownTense
}

// isVerb reports whether a word is of a class of verbs in a language.
func (g *grammar) isVerb(word, class string, language int) bool {
	for _, e := range g.words[word] {
		if e.class == class && e.language == language && len(e.rest) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(g.endings, func(a affix) bool { return a.class == class && a.language == language && g.matchesAffix(a, word) })
}

// hasEnding reports whether a word has the form of a class in any language.
func (g *grammar) hasEnding(word, class string) bool {
	return slices.ContainsFunc(g.endings, func(a affix) bool { return a.class == class && g.matchesAffix(a, word) })
}

// matchesAffix reports whether a word begins and ends as an affix tells, and is not an exception.
func (g *grammar) matchesAffix(a affix, word string) bool {
	if len(word) < a.minimumSize || !strings.HasSuffix(word, a.end) || g.isAny(word, "no verb") {
		return false
	}
	start := strings.Index(word, a.start)
	return start == 0 || a.isAnywhere && start > 0 && len(word)-start >= a.minimumSize
}

// languageOf returns the number of the language that most words of a sentence belong to.
func (r *reader) languageOf(from, to int) int {
	counts := r.languageCounts(from, to)
	return slices.Index(counts, slices.Max(counts))
}

// languageCounts returns how many words of a sentence belong to each language.
func (r *reader) languageCounts(from, to int) []int {
	counts := make([]int, len(lang.Languages()))
	for _, t := range r.tokens[from:to] {
		for of := r.grammar.common[t.lower]; of > 0; of &= of - 1 {
			counts[bits.TrailingZeros(of)]++
		}
	}
	return counts
}

// hasCapitalNouns reports whether most words of the text are of a language whose nouns have capital letters.
func (r *reader) hasCapitalNouns() bool {
	return len(r.tokens) <= maxQuestionWords && r.grammar.capitalNouns&(1<<r.languageOf(0, len(r.tokens))) > 0
}

// sentenceAt returns the bounds of the sentence of a token.
func (r *reader) sentenceAt(i int) (from, to int) {
	for from = i; from > 0 && !r.tokens[from-1].endsSentence(); from-- {
	}
	for to = i; to < len(r.tokens) && (to == i || !r.tokens[to-1].endsSentence()); to++ {
	}
	return from, to
}

// asksAt reports whether the sentence of a token asks, or is the only one. A long text is
// pasted, and asks for no day.
func (r *reader) asksAt(i int) bool {
	if len(r.tokens) > maxQuestionWords {
		return false
	}
	from, to := r.sentenceAt(i)
	mark := r.tokens[to-1].mark
	return from == 0 && to == len(r.tokens) || r.is(from, "question word") || mark == '?' || mark == '？'
}

// tenseAt returns the tense of the sentence of a token, once it is needed.
func (r *reader) tenseAt(i int) func() tense {
	return func() tense {
		if r.isAnchor {
			return r.anchorTense
		}
		from, to := r.sentenceAt(i)
		return r.tenseOf(from, to)
	}
}
