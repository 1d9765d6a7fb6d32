package index

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// scores are what a query's words say of memories. They come from a pool and go
// back there, all zero.
type scores struct {
	bounds  peaks       // by block: the most that any memory in it can have in context
	terms   [][]float32 // by term and block: what of it each term is
	sums    []float32   // by slot: what a memory has in context, of those looked at
	looked  []int32     // slots that have been
	best    peaks       // by slot or block, of the term at hand
	details []detail
	marks   []int32 // by slot: 1 + its number among the details
	marked  []int32
}

// peaks are the best of a term, or a sum of them; those that are not zero are
// known by number.
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

func (p *peaks) clear() {
	for _, i := range p.some {
		p.at[i] = 0
	}
	p.some = p.some[:0]
}

// detail is what is to be said of a memory, or of one that supports it.
type detail struct {
	context float32 // sum over the terms of the best in context
	covered float32 // the idf of the terms that stand in context
	own     float32 // BM25 of its own words, as the query has them
	share   float32 // the idf that its own words answer

	best, cover, mine, part float32 // the same of the term at hand, in place
}

var pool = sync.Pool{New: func() any { return new(scores) }}

func (c *scores) grow(memories, blocks, terms int) {
	if n := max(memories, blocks); len(c.marks) < n {
		n += n / 8 // room to grow
		c.marks = make([]int32, n)
		for _, of := range []*[]float32{&c.bounds.at, &c.best.at, &c.sums} {
			*of = make([]float32, n)
		}
		c.terms = nil
	}
	for len(c.terms) < terms {
		c.terms = append(c.terms, make([]float32, len(c.bounds.at)))
	}
}

func (c *scores) reset() {
	for _, term := range c.terms {
		for _, block := range c.bounds.some {
			term[block] = 0
		}
	}
	c.bounds.clear()
	for _, at := range c.looked {
		c.sums[at] = 0
	}
	for _, at := range c.marked {
		c.marks[at] = 0
	}
	c.looked, c.marked, c.details = c.looked[:0], c.marked[:0], c.details[:0]
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

// saturation is BM25's: how much the n-th word more counts less, by the length of
// the chunk. Counts are in tenths.
type saturation struct{ base, slope float32 }

func (a *asked) saturation() saturation {
	return saturation{10 * k1 * (1 - b), 10 * k1 * b / float32(max(1, a.scale.average))}
}

func (c saturation) of(tf, size float32) float32 {
	return tf * (k1 + 1) / (tf + c.base + c.slope*size)
}

// eachPost calls give for every memory that holds a term, in any way, with what it
// scores there. Forgotten ones are passed over, unless they are asked for.
func (s *shelf) eachPost(a *asked, term int, give func(at int32, score float32)) {
	sat, hide := a.saturation(), s.hides(a)
	for way := range a.sights[term] {
		weight := a.weight(term, way)
		for _, p := range a.sights[term][way].posts {
			at := s.owners[p.leaf]
			if at == none || hide && s.forgotten[at] {
				continue
			}
			give(at, weight*sat.of(float32(p.tf), s.sizes[p.leaf]))
		}
	}
}

// bound works out for every block the most that any of its memories can have:
// the sum over the terms of the best that stands in it, or beside it. That takes
// a look at each chunk which holds a word; to look round each of these takes six
// times as long at 100,000 memories.
func (s *shelf) bound(c *scores, a *asked) {
	for term := range a.sights {
		s.eachPost(a, term, func(at int32, score float32) {
			in := s.within[at]
			c.best.raise(in.block, score)
			if in.beside != none {
				c.best.raise(in.beside, float32(support[0])*score)
			}
		})
		for _, block := range c.best.some {
			if c.bounds.at[block] == 0 {
				c.bounds.some = append(c.bounds.some, block)
			}
			c.bounds.at[block] += c.best.at[block]
			c.terms[term][block] = c.best.at[block]
		}
		c.best.clear()
	}
}

// firstBlocks is how many blocks are looked at to learn how good the best are:
// several times as many memories as are wanted.
const firstBlocks = 64

// inContext gives the k memories of the best context, best first. It looks at the
// blocks with the highest bounds, and then at those whose bounds are not below
// the k-th best of these.
func (s *shelf) inContext(c *scores, a *asked, lets func(int32) bool) []int32 {
	s.bound(c, a)
	first := c.highest(max(firstBlocks, a.k/2))
	s.look(c, a, first, 0, lets)
	least := c.least(a.k) * (1 - 1e-5) // sums of floats are off by some millionths
	for _, block := range first {
		c.bounds.at[block] = 0
	}
	others := make([]int32, 0, len(c.bounds.some))
	for _, block := range c.bounds.some {
		if bound := c.bounds.at[block]; bound > 0 && bound >= least {
			others = append(others, block)
		}
	}
	s.look(c, a, others, least, lets)
	return s.top(c, a.k)
}

// glance is a block that is being looked at: its memories that are let through,
// among those looked at, and the most that the terms to come can add.
type glance struct {
	block    int32
	from, to int
	left     float32
}

// look sums up for the memories of some blocks, as far as they are let through,
// the best that each term has in their context. A block is left as soon as none
// of its memories can have as much as least any more.
func (s *shelf) look(c *scores, a *asked, blocks []int32, least float32, lets func(int32) bool) {
	at := make([]glance, 0, len(blocks))
	for _, block := range blocks {
		g := glance{block: block, from: len(c.looked)}
		for _, m := range s.blocks[block] {
			if lets(m) {
				c.looked = append(c.looked, m)
			}
		}
		if g.to = len(c.looked); g.to > g.from {
			for term := range a.sights {
				g.left += c.terms[term][block]
			}
			at = append(at, g)
		}
	}
	for term := range a.sights {
		s.eachPost(a, term, c.best.raise)
		kept := at[:0]
		for _, g := range at {
			g.left -= c.terms[term][g.block]
			if most := s.gather(c, c.looked[g.from:g.to]); most+g.left >= least {
				kept = append(kept, g)
			}
		}
		at = kept
		c.best.clear()
	}
}

// gather adds to the sums of some memories the best of the term at hand in their
// context, and gives the largest sum.
func (s *shelf) gather(c *scores, of []int32) (most float32) {
	for _, at := range of {
		best := c.best.at[at]
		for i := range s.near[at] {
			n := &s.near[at][i]
			if n.at == none {
				break
			}
			best = max(best, n.less*c.best.at[n.at])
		}
		c.sums[at] += best
		most = max(most, c.sums[at])
	}
	return most
}

// highest gives the n blocks with the highest bounds.
func (c *scores) highest(n int) []int32 {
	return bestOf(c.bounds.some, n, c.bounds.at, func(x, y int32) int { return cmp.Compare(x, y) })
}

// top gives the n memories of the largest sums, best first; equals by id.
func (s *shelf) top(c *scores, n int) []int32 {
	found := bestOf(c.looked, n, c.sums, func(x, y int32) int {
		return strings.Compare(string(s.memories[x].id), string(s.memories[y].id))
	})
	return slices.DeleteFunc(found, func(at int32) bool { return c.sums[at] == 0 })
}

// bestOf gives the n of the highest scores, best first: it keeps the best of
// twice as many, over and over.
func bestOf(all []int32, n int, scores []float32, equals func(x, y int32) int) []int32 {
	order := func(x, y int32) int {
		return cmp.Or(cmp.Compare(scores[y], scores[x]), equals(x, y))
	}
	kept, least := make([]int32, 0, 2*n), float32(0)
	for _, at := range all {
		if scores[at] < least {
			continue
		}
		if kept = append(kept, at); len(kept) == 2*n {
			slices.SortFunc(kept, order)
			kept = kept[:n]
			least = scores[kept[n-1]]
		}
	}
	slices.SortFunc(kept, order)
	return kept[:min(n, len(kept))]
}

// least is the k-th best sum so far; 0 where there are fewer.
func (c *scores) least(k int) float32 {
	found := bestOf(c.looked, k, c.sums, func(x, y int32) int { return 0 })
	if len(found) < k {
		return 0
	}
	return c.sums[found[k-1]]
}

func (s *shelf) hides(a *asked) bool { return a.p.Forgotten == memory.Without && s.hidden > 0 }

// describe works out all that there is to say of some memories.
func (s *shelf) describe(c *scores, a *asked, of []int32) {
	for _, at := range of {
		c.mark(at)
	}
	for _, at := range of {
		for _, n := range s.near[at] {
			if n.at == none {
				break
			}
			c.mark(n.at)
		}
	}
	for i := range a.sights {
		for k := range a.sights[i] {
			s.detail(c, a, i, k)
		}
		for _, at := range of {
			s.sumUp(c, at)
		}
		for j := range c.details {
			d := &c.details[j]
			d.best, d.cover, d.mine, d.part = 0, 0, 0, 0
		}
	}
}

func (c *scores) mark(at int32) {
	if c.marks[at] == 0 {
		c.marked = append(c.marked, at)
		c.details = append(c.details, detail{})
		c.marks[at] = int32(len(c.details))
	}
}

// detail notes what one way of finding a term says at the memories marked.
func (s *shelf) detail(c *scores, a *asked, term, way int) {
	weight, sat, hide := a.weight(term, way), a.saturation(), s.hides(a)
	itself := float32(a.scale.idf(a.sights[term][way].holds)) // as FTS5 has it
	whole := float32(a.sights[term][way].weight * a.terms[term].idf)
	for _, p := range a.sights[term][way].posts {
		at := s.owners[p.leaf]
		if at == none || c.marks[at] == 0 || hide && s.forgotten[at] {
			continue
		}
		often, cover := sat.of(float32(p.tf), s.sizes[p.leaf]), whole
		if !p.answer {
			cover *= partial
		}
		d := &c.details[c.marks[at]-1]
		d.best, d.cover = max(d.best, weight*often), max(d.cover, cover)
		if way == 0 {
			d.mine, d.part = max(d.mine, itself*often), max(d.part, cover)
		}
	}
}

// sumUp takes the term at hand into a memory's sums.
func (s *shelf) sumUp(c *scores, at int32) {
	d := &c.details[c.marks[at]-1]
	best, cover := d.best, d.cover
	for _, n := range s.near[at] {
		if n.at == none {
			break
		}
		other := &c.details[c.marks[n.at]-1]
		best, cover = max(best, n.less*other.best), max(cover, n.less*other.cover)
	}
	d.context += best
	d.covered += cover
	d.own += d.mine
	d.share += d.part
}
