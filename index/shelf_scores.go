package index

import (
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
)

// scores are what a query's words say of memories. They come from a pool and go
// back there, empty.
type scores struct {
	terms int
	says  [][]says // by term and slot: neighbours lie side by side, and lists run through it in order
	here  [][]says // of the terms that stand in the block at hand, or beside it

	peaks  []float32 // by 1 + block: the most that any memory in it can have of the term at hand; 0 is for no block
	bounds []float32 // by block: the same of all terms, until it is looked at
	stands []uint64  // by block: which terms stand in it or beside it, a bit each
	open   []int32   // blocks that may have to be looked at
	sums   []float32 // by slot: what a memory has in context, of those looked at
	looked []int32   // slots that have been

	marks   []int32 // by slot: 1 + its number among those marked
	marked  []int32
	details []detail // of these
}

// says is what a term says where it stands: what it scores, and the idf that it
// answers.
type says struct{ score, cover float32 }

var pool = sync.Pool{New: func() any { return new(scores) }}

// begin makes room for a query.
func (c *scores) begin(memories, blocks, terms int) {
	if len(c.marks) < memories {
		n := memories + memories/8 // room to grow
		c.marks, c.sums, c.says = make([]int32, n), make([]float32, n), nil
	}
	if len(c.peaks) < 1+blocks {
		n := blocks + blocks/8
		c.bounds, c.stands, c.peaks = make([]float32, n), make([]uint64, n), make([]float32, 1+n)
	}
	c.terms = terms
	for len(c.says) < terms {
		c.says = append(c.says, make([]says, len(c.marks)))
	}
}

// bit is a term's; the sixty-fifth shares that of the first, and is looked at with it.
func bit(term int) uint64 { return 1 << (term % 64) }

// mark notes a memory to be described, once.
func (c *scores) mark(at int32) {
	if c.marks[at] == 0 {
		c.marked = append(c.marked, at)
		c.marks[at] = int32(len(c.marked))
	}
}

// keptTerms is for how many terms room is kept until the next query: as many as
// questions have. A pasted page takes more, and gives it back.
const keptTerms = 8

func (c *scores) end() {
	for _, at := range c.looked {
		c.sums[at] = 0
	}
	for _, at := range c.marked {
		c.marks[at] = 0
	}
	clear(c.bounds)
	clear(c.stands)
	c.open = c.open[:0]
	c.looked, c.marked, c.details = c.looked[:0], c.marked[:0], c.details[:0]
	if len(c.says) > keptTerms {
		c.says = slices.Clone(c.says[:keptTerms])
	}
}

// weight is what a chunk that holds a term once, and is as long as others, has
// by one way of finding it. A word alike says no more than the term itself
// would.
func (a *asked) weight(term, way int) float32 {
	first, seen := a.sights[term][0], a.sights[term][way]
	rarity := a.scale.rarity(seen.holds)
	if way > 0 && first.holds > 0 {
		rarity = min(rarity, a.scale.rarity(first.holds))
	}
	return float32(seen.weight * rarity)
}

// covers is the idf that a chunk answers by one way of finding a term: where its
// text does, and where only what stands round it does.
func (a *asked) covers(term, way int) [2]float32 {
	whole := float32(a.sights[term][way].weight * a.terms[term].idf)
	return [2]float32{whole, whole * partial}
}

// saturation is BM25's: how much the n-th word more counts less, by the length of
// the chunk. Counts are in tenths.
type saturation struct{ base, slope float32 }

func (a *asked) saturation() saturation {
	return saturation{10 * k1 * (1 - b), 10 * k1 * b / float32(max(1, a.scale.average))}
}

func (c saturation) of(tf, size float32) float32 {
	return tf * (k1 + 1) / (tf + c.base + c.slope*size)
}

// fill notes for every memory in which a term stands, in any way, what it says
// there, and for every block the most that any of its memories can have: the sum
// over the terms of the best that stands in it, or beside it.
func (s *shelf) fill(c *scores, a *asked) {
	for term := range a.sights {
		for way := range a.sights[term] {
			s.fillWay(c, a, term, way)
		}
		peaks := c.peaks[1 : 1+len(s.blocks)]
		for block, most := range peaks {
			if most > 0 {
				c.bounds[block] += most
				c.stands[block] |= bit(term)
			}
		}
		clear(peaks)
	}
	for block, bound := range c.bounds[:len(s.blocks)] {
		if bound > 0 {
			c.open = append(c.open, int32(block))
		}
	}
}

func (s *shelf) fillWay(c *scores, a *asked, term, way int) {
	weight, sat, covers, hide := a.weight(term, way), a.saturation(), a.covers(term, way), s.hides(a)
	to := c.says[term]
	for _, p := range a.sights[term][way].posts {
		at := s.owners[p.leaf]
		if at == none || hide && s.forgotten[at] {
			continue
		}
		score, cover := weight*sat.of(float32(p.tf), s.lengths[p.leaf]), covers[1]
		if p.answer {
			cover = covers[0]
		}
		here, in := &to[at], s.within[at] // no branches from here on: none could be foretold
		here.score, here.cover = max(here.score, score), max(here.cover, cover)
		c.peaks[1+in.block] = max(c.peaks[1+in.block], score)
		c.peaks[1+in.beside] = max(c.peaks[1+in.beside], float32(support[0])*score)
	}
}

// empty takes back what was filled in.
func (s *shelf) empty(c *scores, a *asked) {
	for term, ways := range a.sights {
		to := c.says[term]
		for _, way := range ways {
			for _, p := range way.posts {
				if at := s.owners[p.leaf]; at != none {
					to[at] = says{}
				}
			}
		}
	}
}

// hides says whether forgotten memories say nothing to a query.
func (s *shelf) hides(a *asked) bool { return a.p.Forgotten == memory.Exclude && s.hidden > 0 }
