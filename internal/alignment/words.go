package alignment

import (
	"crypto/sha256"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
)

// Near-duplicates share at least minShared of every outOf words that occur in either text: a
// Jaccard index of 0.8. So one word in five may be added, removed or replaced.
const (
	minShared = 4
	outOf     = 5
)

// shortText is the number of words below which a text means nothing without its heading:
// "port 5432" under Staging is not "port 5432" under Production.
const shortText = 6

// negationReach is how many words before or after a statement a negation may stand and still
// negate it. An example is "never" in "never, she said, deploy on Fridays".
const negationReach = 3

// longestRead is the length in bytes up to which the words of a text are compared. A longer
// text is a near-duplicate of equal ones only: the words of a text of 10 MB take gigabytes.
const longestRead = 16 << 10

// ReadUnder reads a text to find its near-duplicates. A short text has the topics of its
// headings before it. Of a very long text, it reads a hash.
func ReadUnder(topics func() []string, text string) *Text {
	if len(text) > longestRead {
		sum := sha256.Sum256([]byte(text))
		return Read(hex.EncodeToString(sum[:]))
	}
	text = lang.Clean(text)
	if IsShort(text) {
		text = strings.Join(topics(), " ") + " " + text
	}
	return Read(text)
}

// The parts of a sketch, from the lowest bit on. They are the number of stems, a hash of the
// salient words, and a bit for each stem. Several stems may share a bit.
const (
	countBits, nameBits = 8, 16
	stemsFrom           = countBits + nameBits
	maxCounted          = 1<<countBits - 1 // also of more
)

// Sketch returns what [MayRepeat] compares. It is never 0.
func (t *Text) Sketch() (sketch uint64) {
	for _, stem := range t.stems() {
		sketch |= 1 << (stemsFrom + (stem>>32)%(64-stemsFrom))
	}
	return sketch | t.names%(1<<nameBits)<<countBits | uint64(min(maxCounted, len(t.stems())))
}

// MayRepeat reports whether two texts with these sketches may be near-duplicates. 0 is the
// sketch of a text that is not known. Each bit that only one of them has is a stem that the
// other one lacks.
func MayRepeat(a, b uint64) bool {
	if a == 0 || b == 0 {
		return true
	}
	if (a^b)>>countBits%(1<<nameBits) != 0 {
		return false
	}
	m, n, lacking := a%(1<<countBits), b%(1<<countBits), bits.OnesCount64((a^b)>>stemsFrom)
	return max(m, n) == maxCounted || (outOf+minShared)*(int(m+n)-lacking) >= 2*minShared*int(m+n)
}

// MayDispute reports whether one of two texts with these sketches may dispute the other one. Then
// half of the shorter one's stems are shared.
func MayDispute(a, b uint64) bool {
	if a%(1<<countBits) > b%(1<<countBits) {
		a, b = b, a
	}
	lacking, most := bits.OnesCount64((a&^b)>>stemsFrom), int(a%(1<<countBits))
	return a == 0 || b == 0 || most == maxCounted || 2*lacking <= most
}

// IsShort reports whether a text is too short to be compared without its heading.
func IsShort(text string) bool { return strings.Count(text, " ")+1 < shortText }

// NearDuplicate reports whether two texts share enough of their words, have the same salient
// words, and have all that both have in the same order. Each character of a script without
// spaces is salient, because one more may be a negation.
func (t *Text) NearDuplicate(other *Text) bool { return t.Resembles(other) && t.SameNames(other) }

// Resembles is [Text.NearDuplicate] for texts that must not come back in any variant: only the
// salient words must be in the same order.
func (t *Text) Resembles(other *Text) bool {
	if !t.hasNames(other) {
		return false
	}
	shared := t.countShared(other)
	return outOf*shared >= minShared*(len(t.stems())+len(other.stems())-shared)
}

// SameNames reports whether two texts have the same numbers, names and negations in the same
// order. All words that both texts have must be in this order too.
func (t *Text) SameNames(other *Text) bool {
	return t.hasNames(other) && slices.Equal(t.common(other), other.common(t))
}

// hasNames reports whether two texts have the same salient words in their order. Each also has
// the words that may be names in the other one.
func (t *Text) hasNames(other *Text) bool {
	lacks := func(a, b *Text) bool {
		return slices.ContainsFunc(a.tokens, func(w token) bool { return w.counts && w.capital && !b.has(w.stem) })
	}
	return t.names == other.names && !lacks(t, other) && !lacks(other, t)
}

// common returns the words of a text that another one has too.
func (t *Text) common(other *Text) (stems []uint64) {
	for _, w := range t.tokens {
		if w.counts && other.has(w.stem) {
			stems = append(stems, w.stem)
		}
	}
	return stems
}

// saysTheSame reports whether two texts have the same words in the same order. Case,
// punctuation and words such as articles do not count, nor do forms of one word and slips of
// the keyboard.
func (t *Text) saysTheSame(other *Text) bool {
	mine, theirs := nextCounted(t.tokens), nextCounted(other.tokens)
	for t.names == other.names && len(mine) > 0 && len(theirs) > 0 {
		if a, b := &mine[0], &theirs[0]; a.stem != b.stem && (a.capital || b.capital || !areForms(a.word, b.word)) {
			return false
		}
		mine, theirs = nextCounted(mine[1:]), nextCounted(theirs[1:])
	}
	return t.names == other.names && len(mine)+len(theirs) == 0
}

// nextCounted returns tokens from the first one on that counts.
func nextCounted(tokens []token) []token {
	for len(tokens) > 0 && !tokens[0].counts {
		tokens = tokens[1:]
	}
	return tokens
}

// Contains reports whether t states another text in its own words. It has at least minShared
// of every outOf of its words, among them all its salient words, and all of these in their
// order. No negation of t is in or near them that the other text lacks, except an answer such as
// "No," before them.
func (t *Text) Contains(other *Text) bool {
	first, next, missing := -1, 0, 0
	for _, w := range other.words() {
		if !t.has(w.stem) && !w.salient && !w.capital {
			missing++
			continue
		}
		at := slices.IndexFunc(t.words()[next:], func(mine token) bool { return mine.stem == w.stem })
		if at < 0 {
			return false
		}
		if next += at + 1; first < 0 {
			first = next - 1
		}
	}
	if first < 0 || outOf*missing > (outOf-minShared)*len(other.words()) {
		return false
	}
	near := t.words()[max(0, first-negationReach):min(len(t.words()), next+negationReach)]
	return !slices.ContainsFunc(near, func(w token) bool {
		return w.roles&negation != 0 && !other.has(w.stem) && !(w.roles&answer != 0 && w.alone)
	})
}

// sharesSubject reports whether two texts share half of the shorter one's words, and a quarter
// of the longer one's.
func (t *Text) sharesSubject(other *Text) bool {
	shared := t.countShared(other)
	return shared >= minSubject && 2*shared >= min(len(t.stems()), len(other.stems())) && 4*shared >= max(len(t.stems()), len(other.stems()))
}

// Disputes reports whether two texts may state different values of one subject. They share
// half of the shorter one's words. Each has words of its own, or one is denied, or the order
// differs. It is a guess that errs towards true.
func (t *Text) Disputes(other *Text) bool {
	shared := t.countShared(other)
	mine, theirs := len(t.stems())-shared, len(other.stems())-shared
	if shared < minSubject || 2*shared < min(len(t.stems()), len(other.stems())) {
		return false
	}
	isDenied := func(t *Text) bool {
		return slices.ContainsFunc(t.tokens, func(w token) bool { return w.counts && w.roles&negation != 0 })
	}
	return mine > 0 && theirs > 0 || isDenied(t) != isDenied(other) || mine+theirs == 0 && !t.SameNames(other)
}

func (t *Text) countShared(other *Text) (shared int) {
	rest := other.stems()
	for _, stem := range t.stems() {
		for len(rest) > 0 && rest[0] < stem {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0] == stem {
			shared++
		}
	}
	return shared
}

// minMistyped is the number of characters from which a word may be mistyped.
const minMistyped = 5

// areForms reports whether two words are the same, forms of one word, or one of them mistyped.
func areForms(a, b string) bool {
	if lang.SameStem(a, b) || lightStem(a) == lightStem(b) {
		return true
	}
	x, y := []rune(a), []rune(b)
	start := 0
	for start < min(len(x), len(y)) && x[start] == y[start] {
		start++
	}
	x, y = x[start:], y[start:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	shortest := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return shortest >= minMistyped && start > 0 && (max(len(x), len(y)) <= 1 || swapped)
}
