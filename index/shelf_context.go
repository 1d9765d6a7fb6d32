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

// bestInContext gives the k memories of the best context, best first. It looks at the
// blocks with the highest bounds first, and at none whose bound is below the k-th
// best so far.
func (x *searchIndex) bestInContext(c *accumulator, k int, lets func(int32) bool) []int32 {
	least := float32(0)
	for n := max(firstBlocks, k/2); ; n *= moreBlocks {
		blocks := c.takeHighest(n, least)
		for _, block := range blocks {
			c.upperBounds[block] = 0
			x.scoreBlock(c, block, lets)
		}
		if len(blocks) < n {
			return x.bestDocs(c, k)
		}
		least = c.kthSum(k) * (1 - 1e-5) // sums of floats are off by some millionths
	}
}

// takeHighest gives the n blocks with the highest bounds, of those that are not below
// the least, best first.
func (c *accumulator) takeHighest(n int, least float32) []int32 {
	c.candidates = slices.DeleteFunc(c.candidates, func(block int32) bool { return c.upperBounds[block] == 0 || c.upperBounds[block] < least })
	return topByScore(c.candidates, n, c.upperBounds, func(x, y int32) int { return cmp.Compare(x, y) })
}

// scoreBlock sums up, for the memories of a block that are let through, the best that
// each term has in their context: as gather does, but for most of all memories, so
// without what few of them need.
func (x *searchIndex) scoreBlock(c *accumulator, block int32, lets func(int32) bool) {
	c.blockTerms = c.blockTerms[:0]
	for term, says := range c.termScores[:c.terms] {
		if c.blockTermBits[block]&termBit(term) != 0 {
			c.blockTerms = append(c.blockTerms, says)
		}
	}
	for _, at := range x.blocks[block] {
		if !lets(at) {
			continue
		}
		near, sum := x.neighboursOf(at), float32(0)
		for _, term := range c.blockTerms {
			best := term[at].score
			for i := range near {
				best = max(best, near[i].weight*term[near[i].doc].score)
			}
			sum += best
		}
		c.sums[at] = sum
		c.scored = append(c.scored, at)
	}
}

// contextScore sums up the best that each term has in the context of a memory: what
// it scores, and the idf that it answers.
func (x *searchIndex) contextScore(terms [][]termScore, at int32) (sum termScore) {
	near := x.neighboursOf(at)
	for _, term := range terms {
		best := term[at]
		for i := range near {
			says := &term[near[i].doc]
			best.score, best.idf = max(best.score, near[i].weight*says.score), max(best.idf, near[i].weight*says.idf)
		}
		sum.score, sum.idf = sum.score+best.score, sum.idf+best.idf
	}
	return sum
}

// bestDocs gives the n memories of the largest sums, best first; equals by id.
func (x *searchIndex) bestDocs(c *accumulator, n int) []int32 {
	found := topByScore(c.scored, n, c.sums, func(a, b int32) int {
		return strings.Compare(string(x.docs[a].id), string(x.docs[b].id))
	})
	return slices.DeleteFunc(found, func(at int32) bool { return c.sums[at] == 0 })
}

// kthSum is the k-th best sum so far; 0 where there are fewer.
func (c *accumulator) kthSum(k int) float32 {
	if len(c.scored) < k {
		return 0
	}
	return nthHighest(c.scored, k, c.sums)
}

// details is what is to be said of a memory.
type details struct {
	context  float32 // sum over the terms of the best in context
	coverage float32 // the idf of the terms that stand in context
	bm25     float32 // BM25 of its own words, as the query has them
	ownIDF   float32 // the idf that its own words answer

	termBM25, termIDF float32 // the same two of the term at hand
}

// collectDetails works out all that there is to say of the memories that are marked.
func (x *searchIndex) collectDetails(c *accumulator, a *searchQuery) {
	for _, at := range c.results {
		sum := x.contextScore(c.termScores[:c.terms], at)
		c.details = append(c.details, details{context: sum.score, coverage: sum.idf})
	}
	for term := range a.variants {
		x.addOwnScores(c, a, term)
	}
}

// addOwnScores adds what a term, as the query has it, says by itself at the memories
// that are described.
func (x *searchIndex) addOwnScores(c *accumulator, a *searchQuery, term int) {
	sat, covers, hide := a.saturation(), a.answeredIDF(term, 0), x.skipsForgotten(a)
	idf := float32(a.stats.idf(a.variants[term][0].docFreq)) // as FTS5 has it
	for _, p := range a.variants[term][0].postings {
		at := x.chunkDoc[p.chunk]
		if at == none || c.resultNumbers[at] == 0 || hide && x.forgotten[at] {
			continue
		}
		d, cover := &c.details[c.resultNumbers[at]-1], covers[1]
		if p.inText {
			cover = covers[0]
		}
		d.termBM25, d.termIDF = max(d.termBM25, idf*sat.of(float32(p.tf), x.chunkLen[p.chunk])), max(d.termIDF, cover)
	}
	for i := range c.details {
		d := &c.details[i]
		d.bm25, d.ownIDF = d.bm25+d.termBM25, d.ownIDF+d.termIDF
		d.termBM25, d.termIDF = 0, 0
	}
}
