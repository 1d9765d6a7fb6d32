package similar

import (
	"cmp"
	"slices"
	"strings"
)

// Pair names two texts of a list by their positions, First before Second.
type Pair struct{ First, Second int }

// maxBucket is the number of texts that are compared with each other because they share
// a rare word. A list with more is repetitive, and bounded work matters more.
const maxBucket = 200

// NearDuplicates returns the near-duplicates in a list of texts. A text is paired with
// the earliest text that it repeats, so that n copies are n-1 pairs. Texts that differ
// in no word are pairs too. Texts for which [IsShort] is true belong to their heading
// and are not compared, unless they have no spaces (CJK).
//
// Two texts with a Jaccard index of s/n share a word among the first
// len-⌈len·s/n⌉+1 words of each. This holds if the words of all texts are in one
// order. Rare words come first, so few texts share them (prefix filtering, Bayardo
// et al. 2007).
func NearDuplicates(list []string) (pairs []Pair) {
	texts := make([]Text, len(list))
	frequency := map[uint64]int{}
	for i, text := range list {
		texts[i] = New(strings.Join(strings.Fields(text), " "))
		if texts[i].cjk || IsShort(text) {
			continue
		}
		for _, word := range texts[i].distinct() {
			frequency[word&^salientBit]++
		}
	}
	buckets, paired := map[uint64][]int{}, make([]bool, len(list))
	for i := range texts {
		if !texts[i].cjk && IsShort(list[i]) {
			continue
		}
		keys := texts[i].rareWords(frequency)
		if at, found := firstDuplicate(texts, buckets, keys, i, paired); found {
			pairs = append(pairs, Pair{at, i})
			paired[i] = true
			continue
		}
		for _, key := range keys {
			if len(buckets[key]) < maxBucket {
				buckets[key] = append(buckets[key], i)
			}
		}
	}
	return pairs
}

// firstDuplicate returns the earliest unpaired text of the buckets that text i repeats.
func firstDuplicate(texts []Text, buckets map[uint64][]int, keys []uint64, i int, paired []bool) (at int, found bool) {
	at = i
	for _, key := range keys {
		for _, j := range buckets[key] {
			if j < at && !paired[j] && texts[j].NearDuplicate(&texts[i]) {
				at = j
			}
		}
	}
	return at, at < i
}

// rareWords returns the words of which every near-duplicate of the text has one. CJK
// texts have one key, because only equal ones are near-duplicates.
func (t *Text) rareWords(frequency map[uint64]int) []uint64 {
	if t.cjk {
		return []uint64{t.hash}
	}
	words := make([]uint64, 0, len(t.distinct()))
	for _, word := range t.distinct() {
		words = append(words, word&^salientBit)
	}
	slices.SortFunc(words, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b))
	})
	needed := (minShared*len(words) + outOf - 1) / outOf
	return words[:min(len(words), len(words)-needed+1)]
}

// maxStatement is the number of words over which a text is more than one statement.
const maxStatement = 40
