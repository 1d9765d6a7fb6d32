// Package similar decides whether two texts are near-duplicates: nearly the same
// words in the same order, and the same numbers, names and negations.
package similar

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Near-duplicates share at least minShared of every outOf words that occur in
// either text: a Jaccard index of 0.8. So one word in five may be added, removed
// or replaced.
const (
	minShared = 4
	outOf     = 5
)

// shortText is the number of words below which a text means nothing without its
// heading: "port 5432" under Staging is not "port 5432" under Production.
const shortText = 6

// Text is the words of a text, ready to be compared. It holds hashes, because one
// answer compares many texts, and most pairs have little in common.
type Text struct {
	line      string   // as it was read
	words     []uint64 // hashes of the stems in order, without stop words; see salientBit
	set       []uint64 // the same without repeats, sorted; filled by distinct
	signature uint64   // one bit a word: it shows quickly that two texts differ
	large     *largeSignature
	negations []int // their positions in words
	cjk       bool
	hash      uint64 // of the whole text without punctuation, if cjk
}

// salientBit is the lowest bit of a word's hash. It is set on a salient word:
// one that alone changes what the text is about.
const salientBit = 1

// IsShort reports whether a text is too short to be compared without its heading.
func IsShort(text string) bool { return countWords(text) < shortText }

func countWords(text string) int { return strings.Count(text, " ") + 1 }

// New reads a text, which must be one line in NFC without invisible characters.
// Put the heading in front of a text that [IsShort] reports.
func New(text string) Text {
	t := Text{line: text, words: make([]uint64, 0, countWords(text))}
	for field := range strings.FieldsSeq(text) {
		if isLowerASCII(field) {
			t.add(field, field, false)
			continue
		}
		t.cjk = t.cjk || strings.ContainsFunc(field, isCJK)
		if field = trimPunctuation(field); field != "" {
			lower := strings.ToLower(field)
			t.add(field, lower, isSalient(field, lower))
		}
	}
	if t.cjk {
		t.hash = hashOf(text)
	}
	if len(t.words) > fewWords {
		t.large = newLargeSignature(t.words)
	}
	return t
}

func (t *Text) add(field, lower string, salient bool) {
	class := classOf(lower)
	acronym := field != lower && len(field) > 1 && field == strings.ToUpper(field)
	if class == stopWord && !acronym {
		return
	}
	word := hash(hashSeed, lightStem(lower)) &^ salientBit
	t.signature |= 1 << (word >> 58)
	if salient || class >= contrastWord || hasContrastPrefix(lower) {
		word |= salientBit
	}
	if class == negation || strings.HasSuffix(lower, "n't") {
		t.negations = append(t.negations, len(t.words))
	}
	t.words = append(t.words, word)
}

// NearDuplicate reports whether two texts share enough of their words, have the same
// salient words, and have all these in the same order. CJK texts must be equal but for
// case and punctuation, because one character more may be a negation.
func (t *Text) NearDuplicate(other *Text) bool { return t.resembles(other) && t.SameNames(other) }

// Resembles is [Text.NearDuplicate] for texts that must not come back in any variant: only
// the salient words must be in the same order.
func (t *Text) Resembles(other *Text) bool {
	return t.resembles(other) && (t.cjk || t.haveEqual(other, func(word uint64) bool { return t.salient(word) || other.salient(word) }))
}

// resembles reports whether two texts share enough of their words. CJK texts are equal.
func (t *Text) resembles(other *Text) bool {
	if t.cjk || other.cjk {
		return t.cjk && other.cjk && t.hash == other.hash
	}
	// Sets with a Jaccard index of at least s/n differ in at most
	// (n-s)/(n+s) of the words that both count together.
	differ := bits.OnesCount64(t.signature ^ other.signature)
	if t.large != nil && other.large != nil {
		differ = t.large.countDifferences(other.large)
	}
	if (outOf+minShared)*differ > (outOf-minShared)*(len(t.words)+len(other.words)) {
		return false
	}
	return t.sharesEnough(other)
}

// HasWords reports whether a text has enough words that [IsShort] is false for it,
// however its spaces are cleaned. In doubt it returns false.
func HasWords(text string) bool {
	words := 1
	for i := 1; i+1 < len(text) && words < shortText; i++ {
		if text[i] == ' ' && isASCIILetter(text[i-1]) && isASCIILetter(text[i+1]) {
			words++
		}
	}
	return words >= shortText
}

func isASCIILetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// SameNames reports whether two texts have the same numbers, names, identifiers and
// negations in the same order. All words that both texts have must be in this order too.
// Words that only one of them has may differ. CJK texts must be equal but for case and
// punctuation.
func (t *Text) SameNames(other *Text) bool {
	if t.cjk || other.cjk {
		return t.cjk && other.cjk && t.hash == other.hash
	}
	return t.haveEqual(other, func(word uint64) bool {
		return t.salient(word) || other.salient(word) || t.has(word) && other.has(word)
	})
}

// haveEqual reports whether the words of two texts that keep accepts are equal, in order.
func (t *Text) haveEqual(other *Text, keep func(uint64) bool) bool {
	return slices.Equal(filter(t.words, keep), filter(other.words, keep))
}

// SaysTheSame reports whether two texts have the same words in the same order. Case,
// punctuation and words such as articles do not count, nor do forms of one word and slips of
// the keyboard. Names, numbers and negations are equal. All else may say something else.
func (t *Text) SaysTheSame(other *Text) bool {
	return t.SameNames(other) && (t.cjk || slices.EqualFunc(contentWords(t.line), contentWords(other.line), areForms))
}

// Two texts have the same subject if they share at least minSubject words, and
// these are at least half of the shorter text. "Staging listens on port 8081" and
// "The staging server uses port 9999" share staging and port.
const minSubject = 2

// Contradicts reports whether two texts state different values of one subject. They
// share half of the shorter one's words. They differ in a salient word, in a negation,
// in exactly one word each, or in the order of equal words. It is a guess that errs towards true. CJK
// texts never contradict each other, because they are not split into words.
func (t *Text) Contradicts(other *Text) bool {
	if t.cjk || other.cjk {
		return false
	}
	mine, theirs := t.without(other), other.without(t)
	if len(mine)+len(theirs) == 0 {
		return len(t.distinct()) >= minSubject && !t.SameNames(other) // another order
	}
	shared := len(t.distinct()) - len(mine)
	if shared < minSubject || 2*shared < min(len(t.distinct()), len(other.distinct())) {
		return false
	}
	mySalient, theirSalient := countSalient(mine), countSalient(theirs)
	return mySalient > 0 && theirSalient > 0 || // another name or number
		len(mine) == 1 && len(theirs) == 1 || // another word in its place
		mySalient+theirSalient > 0 && min(len(mine), len(theirs)) == 0 // only a negation or a value more
}

// negationReach is how many words before or after a statement a negation may stand
// and still negate it. An example is "never" in "never, she said, deploy on
// Fridays".
const negationReach = 3

// Contains reports whether t states another text in its own words. It has at least
// minShared of every outOf of its words, among them all its salient words, and all of
// these in their order. No negation of t is in or near them that the other text lacks.
func (t *Text) Contains(other *Text) bool {
	if t.cjk || other.cjk {
		return t.cjk && other.cjk && t.hash == other.hash
	}
	words := other.distinct()
	if len(words) == 0 || outOf*(len(words)-len(other.without(t))) < minShared*len(words) {
		return false
	}
	counts := func(word uint64) bool { return other.salient(word) || t.has(word) }
	all := filter(t.words, func(uint64) bool { return true })
	return containsInOrder(all, filter(other.words, counts)) && !t.negates(other)
}

// negates reports whether t has a negation, among the words that it shares with
// another text or near them, that the other text lacks.
func (t *Text) negates(other *Text) bool {
	first, last := -1, -1
	for i, word := range t.words {
		if _, shared := other.find(word); shared {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	return slices.ContainsFunc(t.negations, func(i int) bool {
		_, shared := other.find(t.words[i])
		return !shared && i >= first-negationReach && i <= last+negationReach
	})
}

// without returns the distinct words of t that other does not contain.
func (t *Text) without(other *Text) (own []uint64) {
	for _, word := range t.distinct() {
		if _, ok := other.find(word); !ok {
			own = append(own, word)
		}
	}
	return own
}

func countSalient(words []uint64) (n int) {
	for _, word := range words {
		n += int(word & salientBit)
	}
	return n
}

// sharesEnough reports whether the Jaccard index of the two sets of words is high
// enough. It stops as soon as the words that are left cannot suffice.
func (t *Text) sharesEnough(other *Text) bool {
	mine, theirs := t.distinct(), other.distinct()
	needed := (minShared*(len(mine)+len(theirs)) + outOf + minShared - 1) / (outOf + minShared)
	both := 0
	for both < needed {
		if both+min(len(mine), len(theirs)) < needed {
			return false
		}
		switch a, b := mine[0]&^salientBit, theirs[0]&^salientBit; {
		case a == b:
			mine, theirs = mine[1:], theirs[1:]
			both++
		case a < b:
			mine = mine[1:]
		default:
			theirs = theirs[1:]
		}
	}
	return true
}

// distinct returns the words sorted and without repeats. A word that is salient
// anywhere in the text is salient here.
func (t *Text) distinct() []uint64 {
	if t.set == nil {
		all := slices.Sorted(slices.Values(t.words))
		t.set = all[:0]
		for i, word := range all {
			if i+1 == len(all) || all[i+1]&^salientBit != word&^salientBit {
				t.set = append(t.set, word)
			}
		}
	}
	return t.set
}

// find looks a word up, salient or not, and returns it with the text's own
// salientBit.
func (t *Text) find(word uint64) (found uint64, ok bool) {
	stem := word &^ salientBit
	i, _ := slices.BinarySearch(t.distinct(), stem)
	if i < len(t.set) && t.set[i]&^salientBit == stem {
		return t.set[i], true
	}
	return 0, false
}

func (t *Text) has(word uint64) bool {
	_, found := t.find(word)
	return found
}

func (t *Text) salient(word uint64) bool {
	found, _ := t.find(word)
	return found&salientBit != 0
}

// filter returns the words that keep accepts, in order and without salientBit.
func filter(words []uint64, keep func(uint64) bool) (kept []uint64) {
	for _, word := range words {
		if keep(word) {
			kept = append(kept, word&^salientBit)
		}
	}
	return kept
}

// trimPunctuation removes the punctuation around a word. A dash or the bar of a
// table alone leaves nothing.
func trimPunctuation(field string) string {
	field = strings.ReplaceAll(strings.TrimFunc(field, isPunctuation), "’", "'")
	if strings.TrimLeft(field, "-–—|") == "" {
		return ""
	}
	return field
}

// isPunctuation reports whether r may surround a word without changing it.
func isPunctuation(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '…', '。', '，', '！', '？', '、', '"', '\'', '(', ')', '[', ']', '*', '_', '“', '”', '‘', '’':
		return true
	}
	return false
}

func isCJK(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// isLowerASCII is the quick test that most words pass.
func isLowerASCII(field string) bool {
	for i := range len(field) {
		if field[i] < 'a' || field[i] > 'z' {
			return false
		}
	}
	return true
}

// isSalient reports whether a word is salient by its form: a name, number, date,
// path, identifier, operator or contracted negation. A capital letter makes a
// name even of a sentence's first word: a duplicate too many does less harm than
// a memory lost.
func isSalient(field, lower string) bool {
	first, _ := utf8.DecodeRuneInString(field)
	return unicode.IsUpper(first) || !unicode.IsLetter(first) ||
		strings.ContainsFunc(field, isSymbol) || strings.HasSuffix(lower, "n't")
}

// isSymbol reports whether r occurs in numbers, paths and operators, but not in
// ordinary words.
func isSymbol(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '–' && r != '\''
}
