package index

import (
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
)

// scores are what a query's words say of memories: a row for each in which one of
// them stands. They come from a pool and go back there, empty.
type scores struct {
	terms int
	row   []int32   // by slot: its row, 0 where no word stands
	slots []int32   // by row; row 0 is of nobody
	score []float32 // by row and term: what a term scores where it stands
	cover []float32 // likewise: the idf that it answers there

	term   peaks     // by block: the most that any memory in it can have of the term at hand
	bounds peaks     // by block: of all terms
	sums   []float32 // by slot: what a memory has in context, of those looked at
	looked []int32   // slots that have been
	best   []float32 // by term: of the memory at hand, in its context

	marks   []int32 // by slot: 1 + its number among those marked
	marked  []int32
	details []detail // of these
}

// peaks are the best of each block; those that are not zero are known by number.
type peaks struct {
	at   []float32
	some []int32
}

func (p *peaks) raise(i int32, score float32) {
	if had := p.at[i]; had < score {
		if had == 0 {
			p.some = append(p.some, i)
		}
		p.at[i] = score
	}
}

func (p *peaks) add(i int32, score float32) {
	if p.at[i] == 0 {
		p.some = append(p.some, i)
	}
	p.at[i] += score
}

func (p *peaks) clear() {
	for _, i := range p.some {
		p.at[i] = 0
	}
	p.some = p.some[:0]
}

var pool = sync.Pool{New: func() any { return new(scores) }}

// begin makes room for a query.
func (c *scores) begin(memories, blocks, terms int) {
	if len(c.row) < memories {
		n := memories + memories/8 // room to grow
		c.row, c.marks, c.sums = make([]int32, n), make([]int32, n), make([]float32, n)
	}
	if len(c.bounds.at) < blocks {
		n := blocks + blocks/8
		c.bounds.at, c.term.at = make([]float32, n), make([]float32, n)
	}
	c.terms = terms
	c.slots = append(c.slots[:0], none)
	c.score, c.cover = c.score[:0], c.cover[:0]
	c.extend()
	c.best = slices.Grow(c.best[:0], terms)[:terms]
}

// extend adds a row.
func (c *scores) extend() {
	n := len(c.score)
	c.score, c.cover = slices.Grow(c.score, c.terms)[:n+c.terms], slices.Grow(c.cover, c.terms)[:n+c.terms]
	clear(c.score[n:])
	clear(c.cover[n:])
}

// mark notes a memory to be described, once.
func (c *scores) mark(at int32) {
	if c.marks[at] == 0 {
		c.marked = append(c.marked, at)
		c.marks[at] = int32(len(c.marked))
	}
}

// How many scores are kept room for until the next query: so many a memory, or
// 2²⁰ where there are few. A pasted page takes more, and gives it back.
const (
	keptEach = 8
	keptAll  = 1 << 20
)

func (c *scores) end() {
	for _, at := range c.slots[1:] {
		c.row[at] = 0
	}
	for _, at := range c.looked {
		c.sums[at] = 0
	}
	for _, at := range c.marked {
		c.marks[at] = 0
	}
	c.bounds.clear()
	c.looked, c.marked, c.details = c.looked[:0], c.marked[:0], c.details[:0]
	if cap(c.score) > max(keptAll, keptEach*len(c.row)) {
		c.score, c.cover = nil, nil
	}
}

// of gives where the row of a memory begins, a new one where it has none.
func (c *scores) of(at int32) int {
	r := int(c.row[at])
	if r == 0 {
		r = len(c.slots)
		c.row[at] = int32(r)
		c.slots = append(c.slots, at)
		c.extend()
	}
	return r * c.terms
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
		for _, block := range c.term.some {
			c.bounds.add(block, c.term.at[block])
		}
		c.term.clear()
	}
}

func (s *shelf) fillWay(c *scores, a *asked, term, way int) {
	weight, sat, covers, hide := a.weight(term, way), a.saturation(), a.covers(term, way), s.hides(a)
	for _, p := range a.sights[term][way].posts {
		at := s.owners[p.leaf]
		if at == none || hide && s.forgotten[at] {
			continue
		}
		score, cover := weight*sat.of(float32(p.tf), s.lengths[p.leaf]), covers[1]
		if p.answer {
			cover = covers[0]
		}
		i := c.of(at) + term
		c.cover[i] = max(c.cover[i], cover)
		if c.score[i] >= score {
			continue
		}
		c.score[i] = score
		in := s.within[at]
		c.term.raise(in.block, score)
		if in.beside != none {
			c.term.raise(in.beside, float32(support[0])*score)
		}
	}
}

// hides says whether forgotten memories say nothing to a query.
func (s *shelf) hides(a *asked) bool { return a.p.Forgotten == memory.Without && s.hidden > 0 }
