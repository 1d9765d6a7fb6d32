// Package phrase finds phrases that are written in many ways, such as "three days ago".
package phrase

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// Finder finds phrases in one pass over a text. It tries a pattern only at a word that can begin a match. Searching a long text
// with each pattern takes a hundred times as long.
type Finder struct {
	maxWords int
	patterns []*regexp.Regexp // that match at the beginning of a text
	byWord   map[string][]int // the patterns that a word can begin
	byNumber []int            // those that a number can begin
}

// NewFinder returns a finder of some patterns. They match texts of at most maxWords words,
// in which one space is between two words.
func NewFinder(patterns []string, maxWords int) *Finder {
	f := &Finder{maxWords: maxWords, byWord: map[string][]int{}}
	for i, pattern := range patterns {
		f.patterns = append(f.patterns, regexp.MustCompile(`^`+pattern))
		for word := range firstWords(parse(pattern)) {
			if word == anyNumber {
				f.byNumber = append(f.byNumber, i)
			} else {
				f.byWord[word] = append(f.byWord[word], i)
			}
		}
	}
	return f
}

// parse returns the syntax of a pattern that regexp compiles.
func parse(pattern string) *syntax.Regexp {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return parsed
}

// Each calls yield for each match, with the number of its first word, and of the word
// after it. The words of the text are joined by spaces. Of the matches that begin at a
// word only the longest counts, and none inside it: "the day before yesterday" is not
// yesterday.
func (f *Finder) Each(text string, yield func(pattern int, match []string, from, to int)) {
	for rest, at := text, 0; rest != ""; at++ {
		word, next, _ := strings.Cut(rest, " ")
		candidates := f.byWord[word]
		if language.AllDigits(word) {
			candidates = f.byNumber
		}
		pattern, longest := 0, []string(nil)
		for _, i := range candidates {
			match := f.patterns[i].FindStringSubmatch(firstFields(rest, f.maxWords))
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

// NeededTexts returns texts of which every match of a pattern contains one. It returns none
// if it does not find any.
func NeededTexts(pattern string) []string { return neededTexts(parse(pattern)) }

// neededTexts is NeededTexts for a part of a pattern.
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
