package identity

import (
	"cmp"
	"slices"
)

// The thresholds of likeness. A light edit of a sentence of ten words changes
// one to three of them; two sentences about different things, even of the same
// make ("the X service listens on port N"), share half. Between the two the
// words do not decide, and the place does.
const (
	acceptDice = 0.7
	rejectDice = 0.5
)

// A part of a text that was split, or a text that went into a longer one, is
// nearly all contained in the other; and where it is under a third of both
// together (a split in five), or a phrase of a few words, it says too little
// about what the rest was.
const (
	partContainment = 0.9
	partDice        = 1.0 / 3
	partMinWords    = 4
)

// candidatePair is a memory and a block that may be the same, reworded.
type candidatePair struct {
	known, block int
	minWords     int // of the shorter text
	overlap      overlap
	position     position
}

func (s candidatePair) score() float64 { return s.overlap.dice + s.position.weight() }

// matchSimilarText pairs what is left by how alike it is, the most alike first:
// first all pairs that the words decide, in the same file or not, then those
// that the place decides. So the most similar part of a split inherits, and a
// line that was moved and touched up is not taken for what came in its place.
//
// Missing memories are left out: a text that returns in other words may as well
// be another one, and would bring a forgetting or a pin with it.
func (m *matcher) matchSimilarText() {
	pairs := m.candidatePairs()
	a := m.findAnchors()
	for i := range pairs {
		pairs[i].position = m.position(a, pairs[i].known, pairs[i].block)
	}
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

// The bounds that keep a batch of ten thousand changed lines from being ten
// thousand squared comparisons. A word that more than commonWord memories of
// the batch have tells none of them apart. Beside the memories that share most
// rare words with a block, those within beside ranks of it between the same
// neighbours are compared.
const (
	maxDocFreq = 64
	maxSharing = 16
	rankWindow = 8
)

// candidatePairs compares the pairs that could be alike.
func (m *matcher) candidatePairs() []candidatePair {
	index := &memoryIndex{m: m, vocabulary: newVocabulary(), texts: map[int]wordList{}, postings: map[int32][]int{}, gaps: map[gap][]int{}}
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
		if m.memoryOf[b] != none {
			continue
		}
		words, at := index.vocabulary.wordList(block.Block.Text), m.gapOfBlock(a, b)
		for _, k := range index.candidates(words, at, rank[at]) {
			if !index.texts[k].mayOverlap(words) {
				continue
			}
			overlap := index.vocabulary.compare(index.texts[k].words, words.words)
			if overlap.dice > rejectDice || overlap.containment >= partContainment && overlap.dice >= partDice {
				pairs = append(pairs, candidatePair{known: k, block: b, overlap: overlap, minWords: minLen(index.texts[k], words)})
			}
		}
		rank[at]++
	}
	return pairs
}

// memoryIndex finds the memories that a text could be an edit of.
type memoryIndex struct {
	m          *matcher
	vocabulary *vocabulary
	texts      map[int]wordList // of each memory that is left
	postings   map[int32][]int  // word → memories that have it
	gaps       map[gap][]int    // memories between the same neighbours, in order
}

func (s *memoryIndex) add(k int, at gap) {
	s.texts[k] = s.vocabulary.wordList(s.m.known[k].Text)
	s.gaps[at] = append(s.gaps[at], k)
	for _, w := range distinct(s.texts[k].sorted) {
		s.postings[w] = append(s.postings[w], k)
	}
}

// candidates gives the memories that share rare words with a text, and those that
// stand where it stands.
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
