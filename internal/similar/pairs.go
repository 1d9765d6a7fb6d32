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

// Limits of the statements that are compared for other values.
const (
	maxStatement = 40 // words; a longer text is more than one statement
	maxValues    = 5  // texts with one subject: more are a log, and no contradictions
)

// OtherValues returns the statements of a list that give different values to one
// subject, as [Replaces] has it. All statements of a subject are paired with the
// earliest of them. A subject with more than five statements is a log, such as a
// weight that is noted every day, and has no pairs.
func OtherValues(list []string) (pairs []Pair) {
	buckets, order := map[string][]int{}, []string{}
	for i, text := range list {
		key := subjectKey(text)
		if key == "" {
			continue
		}
		if buckets[key] == nil {
			order = append(order, key)
		}
		buckets[key] = append(buckets[key], i)
	}
	for _, key := range order {
		if bucket := buckets[key]; len(bucket) > 1 && len(bucket) <= maxBucket {
			pairs = append(pairs, valuesOf(list, bucket)...)
		}
	}
	return pairs
}

// subjectKey returns how a statement begins: two statements with one subject begin
// equally. A text that is no single statement has none.
func subjectKey(text string) string {
	if strings.ContainsFunc(text, isCJK) {
		runes := []rune(text)
		if len(runes) <= minCJKPrefix || strings.Contains(text, "\n") {
			return ""
		}
		return string(runes[:minCJKPrefix])
	}
	if strings.Contains(text, "\n") || countWords(text) > maxStatement {
		return ""
	}
	words, _ := valueWords(text)
	if len(words) <= minSamePrefix {
		return ""
	}
	return strings.Join(words[:minSamePrefix], " ")
}

// valuesOf pairs the statements of a bucket.
func valuesOf(list []string, bucket []int) (pairs []Pair) {
	paired := map[int]bool{}
	for n, i := range bucket {
		if paired[i] {
			continue
		}
		var others []Pair
		for _, j := range bucket[n+1:] {
			if !paired[j] && list[i] != list[j] && Replaces(list[i], list[j]) {
				others = append(others, Pair{i, j})
			}
		}
		for _, p := range others {
			paired[p.Second] = true
		}
		if len(others) < maxValues {
			pairs = append(pairs, others...)
		}
	}
	return pairs
}
