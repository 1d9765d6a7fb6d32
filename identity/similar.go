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
	sameMemory    = 0.7
	anotherMemory = 0.5
)

// A part of a text that was split, or a text that went into a longer one, is
// nearly all contained in the other; and where it is under a third of both
// together (a split in five), or a phrase of a few words, it says too little
// about what the rest was.
const (
	partWithin = 0.9
	partKept   = 1.0 / 3
	partWords  = 4
)

// similar is a memory and a block that may be the same, reworded.
type similar struct {
	k, f  int
	words int // of the shorter text
	like  likeness
	where evidence
}

func (s similar) score() float64 { return s.like.kept + s.where.weight() }

// similarText pairs what is left by how alike it is, the most alike first:
// first all pairs that the words decide, in the same file or not, then those
// that the place decides. So the most similar part of a split inherits, and a
// line that was moved and touched up is not taken for what came in its place.
//
// Missing memories are left out: a text that returns in other words may as well
// be another one, and would bring a forgetting or a pin with it.
func (m *matcher) similarText() {
	pairs := m.candidates()
	a := m.anchor()
	for i := range pairs {
		pairs[i].where = m.evidence(a, pairs[i].k, pairs[i].f)
	}
	m.bestFirst(pairs, func(s similar) bool { return s.like.kept >= sameMemory })
	a = m.anchor()
	for i := range pairs {
		pairs[i].where = m.evidence(a, pairs[i].k, pairs[i].f)
	}
	m.bestFirst(pairs, func(s similar) bool {
		part := s.like.within >= partWithin && s.like.kept >= partKept && s.words >= partWords &&
			s.where.file && s.where.above && s.where.below
		return part || s.like.kept > anotherMemory && s.where.tips()
	})
}

func (m *matcher) bestFirst(pairs []similar, accepted func(similar) bool) {
	var chosen []similar
	for _, s := range pairs {
		if m.of[s.f] == none && m.by[s.k] == none && accepted(s) {
			chosen = append(chosen, s)
		}
	}
	slices.SortFunc(chosen, func(a, b similar) int {
		return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.k, b.k), cmp.Compare(a.f, b.f))
	})
	for _, s := range chosen {
		if m.of[s.f] == none && m.by[s.k] == none {
			m.claim(s.k, s.f)
		}
	}
}

// The bounds that keep a batch of ten thousand changed lines from being ten
// thousand squared comparisons. A word that more than commonWord memories of
// the batch have tells none of them apart. Beside the memories that share most
// rare words with a block, those within beside ranks of it between the same
// neighbours are compared.
const (
	commonWord = 64
	mostShared = 16
	beside     = 8
)

// candidates compares the pairs that could be alike.
func (m *matcher) candidates() []similar {
	s := &search{m: m, v: newVocabulary(), texts: map[int]text{}, having: map[int32][]int{}, gaps: map[gap][]int{}}
	a := m.anchor()
	for k := range m.known {
		if m.present(k) && m.by[k] == none {
			s.add(k, m.gapOfKnown(a, k))
		}
	}
	if len(s.texts) == 0 {
		return nil
	}
	var pairs []similar
	rank := map[gap]int{}
	for f, fresh := range m.fresh {
		if m.of[f] != none {
			continue
		}
		says, at := s.v.read(fresh.Block.Text), m.gapOfFresh(a, f)
		for _, k := range s.near(says, at, rank[at]) {
			if !s.texts[k].mayBeLike(says) {
				continue
			}
			like := s.v.compare(s.texts[k].words, says.words)
			if like.kept > anotherMemory || like.within >= partWithin && like.kept >= partKept {
				pairs = append(pairs, similar{k: k, f: f, like: like, words: shorter(s.texts[k], says)})
			}
		}
		rank[at]++
	}
	return pairs
}

// search finds the memories that a text could be an edit of.
type search struct {
	m      *matcher
	v      *vocabulary
	texts  map[int]text    // of each memory that is left
	having map[int32][]int // word → memories that have it
	gaps   map[gap][]int   // memories between the same neighbours, in order
}

func (s *search) add(k int, at gap) {
	s.texts[k] = s.v.read(s.m.known[k].Text)
	s.gaps[at] = append(s.gaps[at], k)
	for _, w := range distinct(s.texts[k].sorted) {
		s.having[w] = append(s.having[w], k)
	}
}

// near gives the memories that share rare words with a text, and those that
// stand where it stands.
func (s *search) near(says text, at gap, rank int) []int {
	shared := map[int]int{}
	for _, w := range distinct(says.sorted) {
		if ks := s.having[w]; len(ks) <= commonWord {
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
	found = found[:min(len(found), mostShared)]
	ks := s.gaps[at]
	from, to := max(0, min(rank-beside, len(ks)-2*beside)), min(len(ks), max(rank, 0)+beside+1)
	if to > from {
		found = append(found, ks[from:to]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func distinct(sorted []int32) []int32 { return slices.Compact(slices.Clone(sorted)) }
