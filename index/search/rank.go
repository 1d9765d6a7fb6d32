package search

import (
	"cmp"
	"slices"
	"strings"
)

// firstBlocks is the number of blocks that are scored first, to learn the scores of
// the best. They have several times as many documents as are wanted. Each further
// round scores moreBlocks times as many.
const (
	firstBlocks = 64
	moreBlocks  = 2
)

// bestInContext returns the k documents with the highest scores in context, best
// first. It scores the blocks with the highest upper bounds first, and none whose
// bound is below the k-th score so far.
func (x *Index) bestInContext(a *accumulator, k int, matches func(int32) bool) []int32 {
	threshold := float32(0)
	for n := max(firstBlocks, k/2); ; n *= moreBlocks {
		blocks := a.takeBlocks(n, threshold)
		for _, block := range blocks {
			a.upperBounds[block] = 0
			x.scoreBlock(a, block, matches)
		}
		if len(blocks) < n {
			return x.bestScored(a, k)
		}
		threshold = a.kthSum(k) * (1 - 1e-5) // sums of floats are off by some millionths
	}
}

// takeBlocks returns the n blocks with the highest upper bounds, best first, and drops
// those below a threshold.
func (a *accumulator) takeBlocks(n int, threshold float32) []int32 {
	a.candidates = slices.DeleteFunc(a.candidates, func(block int32) bool {
		return a.upperBounds[block] == 0 || a.upperBounds[block] < threshold
	})
	return TopByScore(a.candidates, n, a.upperBounds, func(a, b int32) int { return cmp.Compare(a, b) })
}

// scoreBlock computes the scores in context of the matching documents of a block. It
// does what contextScore does, for scores alone and for the terms near the block:
// most documents need no more.
func (x *Index) scoreBlock(a *accumulator, block int32, matches func(int32) bool) {
	a.blockTerms = a.blockTerms[:0]
	for term, scores := range a.termScores[:a.terms] {
		if a.blockTermBits[block]&termBit(term) != 0 {
			a.blockTerms = append(a.blockTerms, scores)
		}
	}
	for _, d := range x.blocks[block] {
		if !matches(d) {
			continue
		}
		neighbours, sum := x.neighboursOf(d), float32(0)
		for _, scores := range a.blockTerms {
			best := scores[d].score
			for i := range neighbours {
				best = max(best, neighbours[i].weight*scores[neighbours[i].doc].score)
			}
			sum += best
		}
		a.sums[d] = sum
		a.scored = append(a.scored, d)
	}
}

// contextScore returns the sum over the terms of the best that each contributes to a
// document, in place or from a neighbour.
func (x *Index) contextScore(termScores [][]termScore, d int32) (sum termScore) {
	neighbours := x.neighboursOf(d)
	for _, scores := range termScores {
		best := scores[d]
		for i := range neighbours {
			s, weight := &scores[neighbours[i].doc], neighbours[i].weight
			best.score, best.idf = max(best.score, weight*s.score), max(best.idf, weight*s.idf)
		}
		sum.score, sum.idf = sum.score+best.score, sum.idf+best.idf
	}
	return sum
}

// bestScored returns the n documents with the highest sums, best first; equal ones by
// id.
func (x *Index) bestScored(a *accumulator, n int) []int32 {
	found := TopByScore(a.scored, n, a.sums, func(a, b int32) int {
		return strings.Compare(string(x.docs[a].id), string(x.docs[b].id))
	})
	return slices.DeleteFunc(found, func(d int32) bool { return a.sums[d] == 0 })
}

// kthSum returns the k-th highest sum so far, or 0 if there are fewer.
func (a *accumulator) kthSum(k int) float32 {
	if len(a.scored) < k {
		return 0
	}
	return nthHighest(a.scored, k, a.sums)
}
