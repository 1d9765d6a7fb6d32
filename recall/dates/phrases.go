package dates

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/recall/language"
)

// phraseFinder finds the first match of each of some phrase patterns in one pass over a
// text. It tries a pattern only at a word that can begin a match. Searching a long text
// with each pattern takes a hundred times as long.
type phraseFinder struct {
	patterns []*regexp.Regexp // that match at the beginning of a text
	byWord   map[string][]int // the patterns that a word can begin
	byNumber []int            // those that a number can begin
}

// relativePhrases finds the patterns of relativeDates.
var relativePhrases = sync.OnceValue(func() *phraseFinder {
	f := &phraseFinder{byWord: map[string][]int{}}
	for i, r := range relativeDates {
		pattern := strings.TrimPrefix(r.pattern.String(), beforePhrase)
		f.patterns = append(f.patterns, regexp.MustCompile(`^`+pattern))
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			panic(err) // it was compiled above
		}
		for word := range firstWords(parsed) {
			if word == anyNumber {
				f.byNumber = append(f.byNumber, i)
			} else {
				f.byWord[word] = append(f.byWord[word], i)
			}
		}
	}
	return f
})

// maxPhraseWords is more than the number of words of any phrase.
const maxPhraseWords = maxRelativeWords + 2

// each calls yield for each match, with the number of its first word, and of the word
// after it. The words of the text are joined by spaces. Of the matches that begin at a
// word only the longest counts, and none inside it: "the day before yesterday" is not
// yesterday.
func (f *phraseFinder) each(text string, yield func(pattern int, match []string, from, to int)) {
	for rest, at := text, 0; rest != ""; at++ {
		word, next, _ := strings.Cut(rest, " ")
		candidates := f.byWord[word]
		if language.AllDigits(word) {
			candidates = f.byNumber
		}
		pattern, longest := 0, []string(nil)
		for _, i := range candidates {
			match := f.patterns[i].FindStringSubmatch(firstFields(rest, maxPhraseWords))
			if match != nil && (longest == nil || len(match[0]) > len(longest[0])) {
				pattern, longest = i, match
			}
		}
		if longest != nil {
			yield(pattern, longest, at, at+len(strings.Fields(longest[0])))
			next = rest[len(longest[0]):]
		}
		at += strings.Count(rest[:len(rest)-len(next)], " ") - 1
		rest = next
	}
}

// firstFields returns the first n words of a text, with the space after them.
func firstFields(text string, n int) string {
	end := 0
	for range n {
		i := strings.IndexByte(text[end:], ' ')
		if i < 0 {
			return text
		}
		end += i + 1
	}
	return text[:end]
}

// anyNumber stands for all numbers among first words.
const anyNumber = "0"

// firstWords returns the words that can begin a match of an expression.
func firstWords(e *syntax.Regexp) map[string]bool {
	words := map[string]bool{}
	for _, b := range extend([]beginning{{}}, e) {
		words[b.text] = true
	}
	return words
}

// beginning is how a match can begin, up to its first space.
type beginning struct {
	text     string
	complete bool // a space follows
}

// extend appends what an expression matches to beginnings that are not complete.
func extend(all []beginning, e *syntax.Regexp) (extended []beginning) {
	switch e.Op {
	case syntax.OpLiteral:
		return appendRunes(all, e.Rune)
	case syntax.OpCharClass:
		for i := 0; i < len(e.Rune); i += 2 {
			if e.Rune[i] == '0' { // the digits: a number
				extended = append(extended, appendRunes(all, []rune(anyNumber))...)
				continue
			}
			for r := e.Rune[i]; r <= e.Rune[i+1]; r++ {
				extended = append(extended, appendRunes(all, []rune{r})...)
			}
		}
		return extended
	case syntax.OpAlternate:
		for _, sub := range e.Sub {
			extended = append(extended, extend(all, sub)...)
		}
		return extended
	case syntax.OpQuest:
		return append(extend(all, e.Sub[0]), all...)
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range e.Sub {
			all = extend(all, sub)
		}
	}
	return all
}

// appendRunes appends characters up to a space.
func appendRunes(all []beginning, runes []rune) (extended []beginning) {
	before, _, space := strings.Cut(string(runes), " ")
	for _, b := range all {
		if !b.complete {
			b = beginning{b.text + before, space}
		}
		extended = append(extended, b)
	}
	return extended
}

// neededTexts returns texts of which every match of an expression contains one. It
// returns none if it does not find any.
func neededTexts(e *syntax.Regexp) (texts []string) {
	switch e.Op {
	case syntax.OpLiteral:
		return []string{string(e.Rune)}
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			if needed := neededTexts(sub); needed != nil {
				return needed
			}
		}
	case syntax.OpAlternate:
		for _, sub := range e.Sub {
			needed := neededTexts(sub)
			if needed == nil {
				return nil
			}
			texts = append(texts, needed...)
		}
	}
	return texts
}

// cjkNeeds has for each of cjkDates the texts of which a match contains one.
var cjkNeeds = sync.OnceValue(func() (needs [][]string) {
	for _, r := range cjkDates {
		parsed, err := syntax.Parse(r.pattern.String(), syntax.Perl)
		if err != nil {
			panic(err) // it was compiled
		}
		needs = append(needs, neededTexts(parsed))
	}
	return needs
})

// mayMatch is a quick test whether a text matches the i-th of cjkDates.
func mayMatch(i int, text string) bool {
	return slices.ContainsFunc(cjkNeeds()[i], func(s string) bool { return strings.Contains(text, s) })
}
