package identity

import (
	"cmp"
	"slices"
)

// Thresholds of the Dice coefficient. A light edit of a sentence of ten words
// changes one to three of them. Two sentences about different things share half
// of their words, even if they follow one pattern ("the X service listens on
// port N"). Between the thresholds the position decides.
const (
	acceptDice = 0.7
	rejectDice = 0.5
)

// A part of a split text, or a text merged into a longer one, is nearly all
// contained in the other text. Its Dice coefficient must be at least a third,
// which is one part of a split in five. It also needs at least a few words,
// else it is too weak as evidence.
const (
	partContainment = 0.9
	partDice        = 1.0 / 3
	partMinWords    = 4
)

// candidatePair is a memory and a block that may be an edit of it.
type candidatePair struct {
	known, block int
	minWords     int // words of the shorter text
	overlap      overlap
	position     position
}

func (s candidatePair) score() float64 { return s.overlap.dice + s.position.weight() }

// matchSimilarText pairs the remaining memories and blocks by similarity, most
// similar first. It first pairs what the words decide, in any files, then what
// the position decides. So the most similar part of a split keeps the memory.
// And a line that moved and was edited is not mistaken for the line in its old
// place.
//
// Missing memories are left out. A returning text with other words may be
// another one, and would bring back a forgetting or a pin.
func (m *matcher) matchSimilarText() {
	pairs := m.candidatePairs()
	a := m.findAnchors()
	for i := range pairs {
		pairs[i].position = m.position(a, pairs[i].known, pairs[i].block)
	}
	pairs = m.withoutOthersTexts(pairs)
	m.claimBest(pairs, func(s candidatePair) bool { return s.overlap.dice >= acceptDice })
	a = m.findAnchors()
	for i := range pairs {
		pairs[i].position = m.position(a, pairs[i].known, pairs[i].block)
	}
	m.claimBest(pairs, func(s candidatePair) bool {
		part := s.overlap.containment >= partContainment && s.overlap.dice >= partDice && s.minWords >= partMinWords &&
			s.position.file && s.position.above && s.position.below
		return part || s.overlap.dice > rejectDice && s.position.decides()
	})
}

// claimBest claims the accepted pairs, highest score first.
func (m *matcher) claimBest(pairs []candidatePair, accepted func(candidatePair) bool) {
	var chosen []candidatePair
	for _, s := range pairs {
		if m.memoryOf[s.block] == none && m.blockOf[s.known] == none && accepted(s) {
			chosen = append(chosen, s)
		}
	}
	slices.SortFunc(chosen, func(a, b candidatePair) int {
		return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.known, b.known), cmp.Compare(a.block, b.block))
	})
	for _, s := range chosen {
		if m.memoryOf[s.block] == none && m.blockOf[s.known] == none {
			m.claim(s.known, s.block)
		}
	}
}

// These limits keep a batch of ten thousand changed lines from ten thousand
// squared comparisons. A word that more than maxDocFreq memories of the batch
// have is not selective. A block is compared with the maxSharing memories that
// share most rare words with it. It is also compared with the memories within
// rankWindow ranks of it in the same gap.
const (
	maxDocFreq = 64
	maxSharing = 16
	rankWindow = 8
)

// candidatePairs compares the memories and blocks that may be similar.
func (m *matcher) candidatePairs() []candidatePair {
	index := newMemoryIndex(m)
	a := m.findAnchors()
	for k := range m.known {
		if m.present(k) && m.blockOf[k] == none {
			index.add(k, m.gapOfKnown(a, k))
		}
	}
	if len(index.texts) == 0 {
		return nil
	}
	var pairs []candidatePair
	rank := map[gap]int{}
	for b, block := range m.blocks {
		if m.memoryOf[b] != none || m.isReserved(b) {
			continue
		}
		words, at := index.vocabulary.wordList(block.Block.Text), m.gapOfBlock(a, b)
		for _, k := range index.candidates(words, at, rank[at]) {
			if !index.texts[k].mayOverlap(words) || m.isOthers(k, b) || m.known[k].BeingDestroyed && m.known[k].Path != block.Path {
				continue
			}
			overlap := compare(index.texts[k].words, words.words)
			if overlap.dice > rejectDice || overlap.containment >= partContainment && overlap.dice >= partDice {
				pairs = append(pairs, candidatePair{known: k, block: b, overlap: overlap, minWords: minLen(index.texts[k], words)})
			}
		}
		rank[at]++
	}
	return pairs
}

// memoryIndex finds the memories that a text may be an edit of.
type memoryIndex struct {
	m          *matcher
	vocabulary vocabulary
	texts      map[int]wordList // memory → its words
	postings   map[int32][]int  // word → the memories that contain it
	gaps       map[gap][]int    // memories between the same anchors, in order
}

func newMemoryIndex(m *matcher) *memoryIndex {
	return &memoryIndex{m: m, vocabulary: vocabulary{}, texts: map[int]wordList{}, postings: map[int32][]int{}, gaps: map[gap][]int{}}
}

func (s *memoryIndex) add(k int, at gap) {
	s.texts[k] = s.vocabulary.wordList(s.m.known[k].Text)
	s.gaps[at] = append(s.gaps[at], k)
	for _, w := range distinct(s.texts[k].sorted) {
		s.postings[w] = append(s.postings[w], k)
	}
}

// candidates returns the memories that share rare words with a text, and those
// at about the same rank in its gap.
func (s *memoryIndex) candidates(words wordList, at gap, rank int) []int {
	shared := map[int]int{}
	for _, w := range distinct(words.sorted) {
		if ks := s.postings[w]; len(ks) <= maxDocFreq {
			for _, k := range ks {
				shared[k]++
			}
		}
	}
	found := make([]int, 0, len(shared))
	for k := range shared {
		found = append(found, k)
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b)) })
	found = found[:min(len(found), maxSharing)]
	ks := s.gaps[at]
	from, to := max(0, min(rank-rankWindow, len(ks)-2*rankWindow)), min(len(ks), max(rank, 0)+rankWindow+1)
	if to > from {
		found = append(found, ks[from:to]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func distinct(sorted []int32) []int32 { return slices.Compact(slices.Clone(sorted)) }
