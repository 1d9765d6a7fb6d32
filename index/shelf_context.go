package index

import (
	"cmp"
	"slices"
	"strings"
)

// firstBlocks is how many blocks are looked at to learn how good the best are:
// several times as many memories as are wanted. Each time after, it is moreBlocks
// times as many.
const (
	firstBlocks = 64
	moreBlocks  = 2
)

// inContext gives the k memories of the best context, best first. It looks at the
// blocks with the highest bounds first, and at none whose bound is below the k-th
// best so far.
func (s *shelf) inContext(c *scores, k int, lets func(int32) bool) []int32 {
	least := float32(0)
	for n := max(firstBlocks, k/2); ; n *= moreBlocks {
		blocks := c.highest(n, least)
		for _, block := range blocks {
			c.bounds[block] = 0
			s.look(c, block, lets)
		}
		if len(blocks) < n {
			return s.top(c, k)
		}
		least = c.least(k) * (1 - 1e-5) // sums of floats are off by some millionths
	}
}

// highest gives the n blocks with the highest bounds, of those that are not below
// the least, best first.
func (c *scores) highest(n int, least float32) []int32 {
	c.open = slices.DeleteFunc(c.open, func(block int32) bool { return c.bounds[block] == 0 || c.bounds[block] < least })
	return bestOf(c.open, n, c.bounds, func(x, y int32) int { return cmp.Compare(x, y) })
}

// look sums up, for the memories of a block that are let through, the best that
// each term has in their context: as gather does, but for most of all memories, so
// without what few of them need.
func (s *shelf) look(c *scores, block int32, lets func(int32) bool) {
	c.here = c.here[:0]
	for term, says := range c.says[:c.terms] {
		if c.stands[block]&bit(term) != 0 {
			c.here = append(c.here, says)
		}
	}
	for _, at := range s.blocks[block] {
		if !lets(at) {
			continue
		}
		near, sum := s.beside(at), float32(0)
		for _, term := range c.here {
			best := term[at].score
			for i := range near {
				best = max(best, near[i].less*term[near[i].at].score)
			}
			sum += best
		}
		c.sums[at] = sum
		c.looked = append(c.looked, at)
	}
}

// gather sums up the best that each term has in the context of a memory: what
// it scores, and the idf that it answers.
func (s *shelf) gather(terms [][]says, at int32) (sum says) {
	near := s.beside(at)
	for _, term := range terms {
		best := term[at]
		for i := range near {
			says := &term[near[i].at]
			best.score, best.cover = max(best.score, near[i].less*says.score), max(best.cover, near[i].less*says.cover)
		}
		sum.score, sum.cover = sum.score+best.score, sum.cover+best.cover
	}
	return sum
}

// top gives the n memories of the largest sums, best first; equals by id.
func (s *shelf) top(c *scores, n int) []int32 {
	found := bestOf(c.looked, n, c.sums, func(x, y int32) int {
		return strings.Compare(string(s.memories[x].id), string(s.memories[y].id))
	})
	return slices.DeleteFunc(found, func(at int32) bool { return c.sums[at] == 0 })
}

// least is the k-th best sum so far; 0 where there are fewer.
func (c *scores) least(k int) float32 {
	if len(c.looked) < k {
		return 0
	}
	return nthBest(c.looked, k, c.sums)
}

// detail is what is to be said of a memory.
type detail struct {
	context float32 // sum over the terms of the best in context
	covered float32 // the idf of the terms that stand in context
	own     float32 // BM25 of its own words, as the query has them
	share   float32 // the idf that its own words answer

	mine, part float32 // the same two of the term at hand
}

// describe works out all that there is to say of the memories that are marked.
func (s *shelf) describe(c *scores, a *asked) {
	for _, at := range c.marked {
		sum := s.gather(c.says[:c.terms], at)
		c.details = append(c.details, detail{context: sum.score, covered: sum.cover})
	}
	for term := range a.sights {
		s.ownWords(c, a, term)
	}
}

// ownWords adds what a term, as the query has it, says by itself at the memories
// that are described.
func (s *shelf) ownWords(c *scores, a *asked, term int) {
	sat, covers, hide := a.saturation(), a.covers(term, 0), s.hides(a)
	idf := float32(a.scale.idf(a.sights[term][0].holds)) // as FTS5 has it
	for _, p := range a.sights[term][0].posts {
		at := s.owners[p.leaf]
		if at == none || c.marks[at] == 0 || hide && s.forgotten[at] {
			continue
		}
		d, cover := &c.details[c.marks[at]-1], covers[1]
		if p.answer {
			cover = covers[0]
		}
		d.mine, d.part = max(d.mine, idf*sat.of(float32(p.tf), s.sizes[p.leaf])), max(d.part, cover)
	}
	for i := range c.details {
		d := &c.details[i]
		d.own, d.share = d.own+d.mine, d.share+d.part
		d.mine, d.part = 0, 0
	}
}
