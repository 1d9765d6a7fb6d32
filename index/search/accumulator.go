package search

import (
	"slices"
	"sync"
)

// accumulator holds the scores of one query. It comes from a pool and returns there
// empty.
type accumulator struct {
	terms      int
	termScores [][]termScore // by term and document: neighbours are adjacent, and postings run through it in order

	blockMax      []blockMax // by 1 + block; 0 is for no block
	upperBounds   []float32  // by block: at least the score of any document in it, until it is scored
	blockTermBits []uint64   // by block: the terms in it or near it, see termBit
	candidates    []int32    // blocks that may have to be scored
	taken         []int32    // those of them that are scored next
	sums          []float32  // by document: the sum of the scores of its own terms; once it is scored, its score in context
	scored        []int32    // documents

	resultNumbers []int32 // by document: 1 + its place in results, or 0
	results       []int32
	details       []details // by place in results
	order         []int32   // places in results
}

// termScore is what one term contributes to a document: its score, and the idf that
// the document answers.
type termScore struct{ score, idf float32 }

// blockMax holds what the upper bound of a block is made of.
type blockMax struct {
	term float32 // the highest score of one term in or near the block
	own  float32 // the highest sum of the scores of a document's own terms
}

var accumulators = sync.Pool{New: func() any { return new(accumulator) }}

// reserve makes room for a query, with some to spare for an index that grows.
func (a *accumulator) reserve(docs, blocks, terms int) {
	if len(a.resultNumbers) < docs {
		n := docs + docs/8
		a.resultNumbers, a.sums, a.termScores = make([]int32, n), make([]float32, n), nil
	}
	if len(a.blockMax) < 1+blocks {
		n := blocks + blocks/8
		a.upperBounds, a.blockTermBits, a.blockMax = make([]float32, n), make([]uint64, n), make([]blockMax, 1+n)
	}
	a.terms = terms
	for len(a.termScores) < terms {
		a.termScores = append(a.termScores, make([]termScore, len(a.resultNumbers)))
	}
}

// termBit is the bit of a term. The sixty-fifth term shares that of the first, so
// both are looked up where either is.
func termBit(term int) uint64 { return 1 << (term % 64) }

// addResult adds a document to the results, once.
func (a *accumulator) addResult(d int32) {
	if a.resultNumbers[d] == 0 {
		a.results = append(a.results, d)
		a.resultNumbers[d] = int32(len(a.results))
	}
}

// maxKeptTerms is the number of terms whose memory is kept for the next query: as many
// as questions have. A pasted page takes more, and frees it.
const maxKeptTerms = 8

// reset empties the accumulator. [Index.clearTermScores] has to run before it.
func (a *accumulator) reset() {
	for _, d := range a.results {
		a.resultNumbers[d] = 0
	}
	clear(a.sums)
	clear(a.blockMax)
	clear(a.upperBounds)
	clear(a.blockTermBits)
	a.candidates = a.candidates[:0]
	a.scored, a.results, a.details = a.scored[:0], a.results[:0], a.details[:0]
	if len(a.termScores) > maxKeptTerms {
		a.termScores = slices.Clone(a.termScores[:maxKeptTerms])
	}
}

// accumulate computes the score of each term in each document that contains it, and
// the upper bound of each block. A term counts in a document as much as there, or at
// most a share of its highest score near the block. So it counts at most that share of
// the highest score, and the rest of the document's own score.
func (x *Index) accumulate(a *accumulator, q *query) {
	share, blocks := float32(neighbourWeights[0]), a.blockMax[1:1+len(x.blocks)]
	for term := range q.variants {
		for variant := range q.variants[term] {
			x.accumulateVariant(a, q, term, variant)
		}
		for block := range blocks {
			if highest := &blocks[block].term; *highest > 0 {
				a.upperBounds[block] += share * *highest
				a.blockTermBits[block] |= termBit(term)
				*highest = 0
			}
		}
	}
	for block, bound := range a.upperBounds[:len(x.blocks)] {
		if bound > 0 {
			a.upperBounds[block] = bound + (1-share)*blocks[block].own
			a.candidates = append(a.candidates, int32(block))
		}
	}
}

func (x *Index) accumulateVariant(a *accumulator, q *query, term, variant int) {
	weight, sat, idf, skip := q.weight(term, variant), q.stats.saturation(), q.answeredIDF(term, variant), q.filter.hidden
	scores := a.termScores[term]
	for _, p := range q.variants[term][variant].postings {
		d := x.chunkDoc[p.chunk]
		if d == none || skip.has(d) {
			continue
		}
		score, answered := weight*sat.of(float32(p.tf), x.chunkNorm[p.chunk]), idf.inContext
		if p.inText {
			answered = idf.inText
		}
		to, in := &scores[d], x.blockOf[d] // no branches from here on: the processor cannot predict them
		higher := max(to.score, score)
		own := a.sums[d] + (higher - to.score)
		to.score, to.idf, a.sums[d] = higher, max(to.idf, answered), own
		block, adjacent := &a.blockMax[1+in.block], &a.blockMax[1+in.adjacent]
		block.term, block.own = max(block.term, score), max(block.own, own)
		adjacent.term = max(adjacent.term, score)
	}
}

// clearTermScores undoes accumulate, which is quicker than clearing all documents.
func (x *Index) clearTermScores(a *accumulator, q *query) {
	for term, variants := range q.variants {
		scores := a.termScores[term]
		for _, v := range variants {
			for _, p := range v.postings {
				if d := x.chunkDoc[p.chunk]; d != none {
					scores[d] = termScore{}
				}
			}
		}
	}
}
