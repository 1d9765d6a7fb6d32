package alignment

import (
	"cmp"
	"slices"
	"strings"
)

// Pair names two texts of a list by their positions, First before Second.
type Pair struct{ First, Second int }

// maxBucket is the number of texts that are compared with each other because they share rare
// words. A list with more is repetitive, and bounded work matters more.
const maxBucket = 200

// NearDuplicates returns the near-duplicates in a list of texts. A text is paired with the
// earliest text that it repeats, so that n copies are n-1 pairs. Texts that differ in no word
// are pairs too. Texts for which [IsShort] is true belong to their heading and are not
// compared, unless they have no spaces (CJK).
//
// Two texts with a Jaccard index of s/n share a word among the first len-⌈len·s/n⌉+1 words of
// each. This holds if the words of all texts are in one order. Rare words come first, so few
// texts share them (prefix filtering, Bayardo et al. 2007).
func NearDuplicates(list []string) (pairs []Pair) {
	texts, frequency := make([]*Text, len(list)), map[uint64]int{}
	for i, text := range list {
		line := strings.Join(strings.Fields(text), " ")
		if t := Read(line); !IsShort(line) || hasCJK(t.tokens) {
			texts[i] = t
			for _, stem := range t.stems() {
				frequency[stem]++
			}
		}
	}
	buckets, paired := map[uint64][]int{}, make([]bool, len(list))
	for i, t := range texts {
		if t == nil {
			continue
		}
		first, keys := i, t.rareWords(frequency)
		for _, key := range keys {
			for _, k := range buckets[key] {
				if k < first && !paired[k] && texts[k].NearDuplicate(t) {
					first = k
				}
			}
		}
		if first < i {
			pairs, paired[i] = append(pairs, Pair{first, i}), true
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

// rareWords returns the words of which every near-duplicate of the text has one.
func (t *Text) rareWords(frequency map[uint64]int) []uint64 {
	words := slices.Clone(t.stems())
	slices.SortStableFunc(words, func(a, b uint64) int { return cmp.Compare(frequency[a], frequency[b]) })
	needed := (minShared*len(words) + outOf - 1) / outOf
	return words[:min(len(words), len(words)-needed+1)]
}

// Texts with one subject that may disagree. More are a log, such as a weight that is noted
// every day.
const (
	maxValues = 5
	maxDated  = 2 // of them in the notes of days
)

// Said is a text of a list that is searched for contradictions.
type Said struct {
	Text  string
	Topic string // the headings that tell the subject of a short text
	Dated bool   // it is in the notes of a day, where the same thing may be noted day by day
}

// Contradictions returns the pairs of a list of which one replaces or contradicts the other.
// All texts of a subject are paired with the earliest of them. A log has no pairs: more than
// five values of one subject, or more than two in the notes of days. Only texts that begin with
// the same words, or have the same words in any order, are compared, so the work grows with
// the list.
func Contradictions(list []Said) (pairs []Pair) {
	texts, buckets, order := make([]*Text, len(list)), map[uint64][]int{}, []uint64(nil)
	for i, said := range list {
		texts[i] = Read(said.Text)
		for _, key := range texts[i].read().keys() {
			if buckets[key] == nil {
				order = append(order, key)
			}
			buckets[key] = append(buckets[key], i)
		}
	}
	seen := map[Pair]bool{}
	for _, key := range order {
		bucket := buckets[key]
		for n := 0; n < len(bucket) && len(bucket) > 1 && len(bucket) <= maxBucket; n++ {
			others, dated := disagreeing(list, texts, bucket[n], bucket[n+1:])
			if len(others) < maxValues && dated <= maxDated {
				for _, other := range others {
					if p := (Pair{bucket[n], other}); !seen[p] {
						seen[p] = true
						pairs = append(pairs, p)
					}
				}
			}
			bucket = slices.DeleteFunc(slices.Clone(bucket), func(i int) bool { return slices.Contains(others, i) })
		}
	}
	return pairs
}

// disagreeing returns those of some texts that disagree with text i, and how many of all are
// in the notes of days.
func disagreeing(list []Said, texts []*Text, i int, rest []int) (others []int, dated int) {
	count := func(i int) {
		if list[i].Dated {
			dated++
		}
	}
	count(i)
	for _, k := range rest {
		if haveOneTopic(list[i], list[k], texts[i].hasSubject() && texts[k].hasSubject()) && disagree(texts[i], texts[k]) {
			others = append(others, k)
			count(k)
		}
	}
	return others, dated
}

func disagree(a, b *Text) bool {
	isOne := func(r Relation) bool { return r == Contradicts || r == Replaces }
	return isOne(Compare(a, b)) || isOne(Compare(b, a))
}

// haveOneTopic reports whether two texts are about the same thing as far as their headings
// tell. "Port: 8080" under one host and "Port: 8081" under another one are not.
func haveOneTopic(a, b Said, haveSubjects bool) bool {
	return a.Topic == b.Topic || a.Topic == "" || b.Topic == "" || haveSubjects
}

// minOwnSubject is the number of words, but for numbers and days, of a text that needs no
// heading to be understood.
const minOwnSubject = 3

func (t *Text) hasSubject() bool {
	n := 0
	for _, i := range t.read().items {
		if i.kind&(isNumber|isDay) == 0 {
			n++
		}
	}
	return n >= minOwnSubject || !IsShort(t.line)
}

// keys returns what texts that disagree have in common: the beginning of their subject, or all
// words in any order.
func (s *statement) keys() []uint64 {
	subject, all := hashSeed, uint64(0)
	n := 0
	for _, i := range s.items {
		all += i.stem
		if n < minSubject && i.kind&(isNumber|isDay) == 0 {
			subject, n = subject*hashPrime^i.stem, n+1
		}
	}
	if n == 0 {
		return nil
	}
	return []uint64{subject, all}
}
