package index

import (
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
)

// accumulator are what a query's words say of memories. They come from a pool and go
// back there, empty.
type accumulator struct {
	terms      int
	termScores [][]termScore // by term and slot: neighbours lie side by side, and lists run through it in order
	blockTerms [][]termScore // of the terms that stand in the block at hand, or beside it

	blockMax      []float32 // by 1 + block: the most that any memory in it can have of the term at hand; 0 is for no block
	upperBounds   []float32 // by block: the same of all terms, until it is looked at
	blockTermBits []uint64  // by block: which terms stand in it or beside it, a bit each
	candidates    []int32   // blocks that may have to be looked at
	sums          []float32 // by slot: what a memory has in context, of those looked at
	scored        []int32   // slots that have been

	resultNumbers []int32 // by slot: 1 + its number among those marked
	results       []int32
	details       []details // of these
}

// termScore is what a term says where it stands: what it scores, and the idf that it
// answers.
type termScore struct{ score, idf float32 }

var accumulators = sync.Pool{New: func() any { return new(accumulator) }}

// reserve makes room for a query.
func (c *accumulator) reserve(memories, blocks, terms int) {
	if len(c.resultNumbers) < memories {
		n := memories + memories/8 // room to grow
		c.resultNumbers, c.sums, c.termScores = make([]int32, n), make([]float32, n), nil
	}
	if len(c.blockMax) < 1+blocks {
		n := blocks + blocks/8
		c.upperBounds, c.blockTermBits, c.blockMax = make([]float32, n), make([]uint64, n), make([]float32, 1+n)
	}
	c.terms = terms
	for len(c.termScores) < terms {
		c.termScores = append(c.termScores, make([]termScore, len(c.resultNumbers)))
	}
}

// termBit is a term's; the sixty-fifth shares that of the first, and is looked at with it.
func termBit(term int) uint64 { return 1 << (term % 64) }

// addResult notes a memory to be described, once.
func (c *accumulator) addResult(at int32) {
	if c.resultNumbers[at] == 0 {
		c.results = append(c.results, at)
		c.resultNumbers[at] = int32(len(c.results))
	}
}

// keptTerms is for how many terms room is kept until the next query: as many as
// questions have. A pasted page takes more, and gives it back.
const keptTerms = 8

func (c *accumulator) reset() {
	for _, at := range c.scored {
		c.sums[at] = 0
	}
	for _, at := range c.results {
		c.resultNumbers[at] = 0
	}
	clear(c.upperBounds)
	clear(c.blockTermBits)
	c.candidates = c.candidates[:0]
	c.scored, c.results, c.details = c.scored[:0], c.results[:0], c.details[:0]
	if len(c.termScores) > keptTerms {
		c.termScores = slices.Clone(c.termScores[:keptTerms])
	}
}

// variantWeight is what a chunk that holds a term once, and is as long as others, has
// by one way of finding it. A word alike says no more than the term itself
// would.
func (a *searchQuery) variantWeight(term, way int) float32 {
	first, seen := a.variants[term][0], a.variants[term][way]
	rarity := a.stats.smoothedIDF(seen.docFreq)
	if way > 0 && first.docFreq > 0 {
		rarity = min(rarity, a.stats.smoothedIDF(first.docFreq))
	}
	return float32(seen.weight * rarity)
}

// answeredIDF is the idf that a chunk answers by one way of finding a term: where its
// text does, and where only what stands round it does.
func (a *searchQuery) answeredIDF(term, way int) [2]float32 {
	whole := float32(a.variants[term][way].weight * a.terms[term].idf)
	return [2]float32{whole, whole * partialShare}
}

// saturation is BM25's: how much the n-th word more counts less, by the length of
// the chunk. Counts are in tenths.
type saturation struct{ base, slope float32 }

func (a *searchQuery) saturation() saturation {
	return saturation{10 * k1 * (1 - b), 10 * k1 * b / float32(max(1, a.stats.avgLen))}
}

func (c saturation) of(tf, size float32) float32 {
	return tf * (k1 + 1) / (tf + c.base + c.slope*size)
}

// accumulate notes for every memory in which a term stands, in any way, what it says
// there, and for every block the most that any of its memories can have: the sum
// over the terms of the best that stands in it, or beside it.
func (x *searchIndex) accumulate(c *accumulator, a *searchQuery) {
	for term := range a.variants {
		for way := range a.variants[term] {
			x.accumulateVariant(c, a, term, way)
		}
		peaks := c.blockMax[1 : 1+len(x.blocks)]
		for block, most := range peaks {
			if most > 0 {
				c.upperBounds[block] += most
				c.blockTermBits[block] |= termBit(term)
			}
		}
		clear(peaks)
	}
	for block, bound := range c.upperBounds[:len(x.blocks)] {
		if bound > 0 {
			c.candidates = append(c.candidates, int32(block))
		}
	}
}

func (x *searchIndex) accumulateVariant(c *accumulator, a *searchQuery, term, way int) {
	weight, sat, covers, hide := a.variantWeight(term, way), a.saturation(), a.answeredIDF(term, way), x.skipsForgotten(a)
	to := c.termScores[term]
	for _, p := range a.variants[term][way].postings {
		at := x.chunkDoc[p.chunk]
		if at == none || hide && x.forgotten[at] {
			continue
		}
		score, cover := weight*sat.of(float32(p.tf), x.chunkNorm[p.chunk]), covers[1]
		if p.inText {
			cover = covers[0]
		}
		here, in := &to[at], x.blockOf[at] // no branches from here on: none could be foretold
		here.score, here.idf = max(here.score, score), max(here.idf, cover)
		c.blockMax[1+in.block] = max(c.blockMax[1+in.block], score)
		c.blockMax[1+in.adjacent] = max(c.blockMax[1+in.adjacent], float32(neighbourWeight[0])*score)
	}
}

// clearTermScores takes back what was filled in.
func (x *searchIndex) clearTermScores(c *accumulator, a *searchQuery) {
	for term, ways := range a.variants {
		to := c.termScores[term]
		for _, way := range ways {
			for _, p := range way.postings {
				if at := x.chunkDoc[p.chunk]; at != none {
					to[at] = termScore{}
				}
			}
		}
	}
}

// skipsForgotten says whether forgotten memories say nothing to a query.
func (x *searchIndex) skipsForgotten(a *searchQuery) bool {
	return a.p.Forgotten == memory.Exclude && x.forgottenCount > 0
}
