package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capitals counts how texts write a word. The zero value has counted none.
type Capitals struct {
	inside int // with a capital letter inside a sentence
	first  int // with one at the beginning of a sentence, which tells little
	small  int // in small letters, or in capitals alone: an abbreviation
}

// Count counts the occurrences of a word, which is in lower case, in a text.
func (c *Capitals) Count(text, word string) {
	for start := 0; start < len(text); {
		r, size := utf8.DecodeRuneInString(text[start:])
		if !IsAlnum(r) {
			start += size
			continue
		}
		end := wordEnd(text, start)
		if w := text[start:end]; len(w) == len(word) && strings.EqualFold(w, word) && !isPart(text, start, end) {
			c.add(w, text[:start])
		}
		start = end
	}
}

// wordEnd returns where the word ends that starts at a place in a text.
func wordEnd(text string, start int) int {
	for i, r := range text[start:] {
		if !IsAlnum(r) {
			return start + i
		}
	}
	return len(text)
}

// isPart reports whether text[start:end] is part of an address or a path: ann.lee@site.
func isPart(text string, start, end int) bool {
	joins := func(i int) bool { return i >= 0 && i < len(text) && strings.IndexByte(".@/_\\", text[i]) >= 0 }
	lettersAt := func(i int) bool { return i >= 0 && i < len(text) && IsAlnum(rune(text[i])) }
	return joins(start-1) && lettersAt(start-2) || joins(end) && lettersAt(end+1)
}

// add counts a word that follows some text.
func (c *Capitals) add(word, before string) {
	rest := word[len(string(FirstRune(word))):]
	before = strings.TrimRight(before, " *_\"'“„»«(&")
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case !unicode.IsUpper(FirstRune(word)), rest != strings.ToLower(rest):
		c.small++
	case before != "" && (IsAlnum(last) || last == ',' || last == '’'):
		c.inside++
	default:
		c.first++
	}
}

// Any reports whether a word was counted.
func (c *Capitals) Any() bool { return c.inside+c.first+c.small > 0 }

// ShowName reports whether the word is a name. It is nearly always written with a capital
// letter: once inside a sentence, or at the beginning of a number of sentences.
func (c *Capitals) ShowName(atBeginning int) bool {
	const smallShare = 10 // one of ten may be a slip
	return (c.inside > 0 || c.first >= atBeginning) && smallShare*c.small <= c.inside+c.first
}

// HasCapital reports whether a text has a word, given in lower case, with a capital letter.
func HasCapital(text, word string) bool {
	var c Capitals
	c.Count(text, word)
	return c.inside+c.first > 0
}
