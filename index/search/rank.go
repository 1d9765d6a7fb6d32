package search

import (
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
		blocks, last := a.takeBlocks(n, threshold)
		for _, block := range blocks {
			a.upperBounds[block] = 0
			x.scoreBlock(a, block, matches)
		}
		if last {
			return x.bestScored(a, k)
		}
		threshold = a.kthSum(k) * (1 - 1e-5) // sums of floats are off by some millionths
	}
}

// takeBlocks returns the n blocks with the highest upper bounds, and others with the same.
// It drops those below a threshold. last reports that there are no others.
func (a *accumulator) takeBlocks(n int, threshold float32) (blocks []int32, last bool) {
	a.candidates = slices.DeleteFunc(a.candidates, func(block int32) bool {
		return a.upperBounds[block] == 0 || a.upperBounds[block] < threshold
	})
	if len(a.candidates) <= n {
		return a.candidates, true
	}
	least := nthHighest(a.candidates, n, a.upperBounds)
	a.taken = a.taken[:0]
	for _, block := range a.candidates {
		if a.upperBounds[block] >= least {
			a.taken = append(a.taken, block)
		}
	}
	return a.taken, false
}

// scoreBlock computes the scores in context of the matching documents of a block. It
// does what contextScore does, for scores alone and for the terms near the block: most
// documents need no more. Few documents contain a term. So each passes its score on to
// its neighbours, which have the same weight in both directions.
func (x *Index) scoreBlock(a *accumulator, number int32, matches func(int32) bool) {
	b := &x.blocks[number]
	var sums [len(b.near)]float32
	for term, scores := range a.termScores[:a.terms] {
		if a.blockTermBits[number]&termBit(term) == 0 {
			continue
		}
		var best [len(b.near) + 2*Reach]float32 // by Reach + place in near, so that no window ends outside
		for i, d := range b.near[:b.count] {
			score := scores[d].score
			if score == 0 {
				continue
			}
			to := best[i:][:windowSize]
			for k, weight := range &x.windows[d].weights {
				to[k] = max(to[k], weight*score)
			}
		}
		for i := int(b.from); i < int(b.to); i++ {
			sums[i] += best[Reach+i]
		}
	}
	for i := int(b.from); i < int(b.to); i++ {
		if d := b.near[i]; matches(d) {
			a.sums[d] = sums[i]
			a.scored = append(a.scored, d)
		}
	}
}

// contextScore returns the sum over the terms of the best that each contributes to a
// document, in place or from a neighbour. It skips the terms that are not near its block.
func (x *Index) contextScore(a *accumulator, d int32) (sum termScore) {
	near := ^uint64(0)
	if block := x.blockOf[d].block; block != none {
		near = a.blockTermBits[block]
	}
	w := &x.windows[d]
	for term, scores := range a.termScores[:a.terms] {
		if near&termBit(term) == 0 {
			continue
		}
		var best termScore
		for i, other := range w.docs {
			if other == none {
				continue
			}
			s, weight := &scores[other], w.weights[i]
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
