package recall

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Candidates within a window of the best of their group count as equal, so that
// recency and use decide. On the golden sets either window costs less than half a
// point of recall@10 and of mean reciprocal rank. The composite alone costs two to
// fourteen points of recall@10, and more of mean reciprocal rank.
const (
	fusedWindow      = 0.2  // of the weighted sum of signals, about 10 for a good answer
	similarityWindow = 0.03 // of the similarity, with the other fusions
)

// score computes the composite score of every candidate.
func score(found []*candidate, now time.Time, s Settings) {
	for _, c := range found {
		c.composite = compositeOf(c.Memory, c.similarity, now, s)
		c.score = c.composite.score(s)
	}
}

// order sorts the best first. With the preset "prd" the composite score decides
// alone. Otherwise the fused score decides, and the composite only among candidates
// within a window. With the fusion "ranking", a lane asked alone also orders alone.
func order(found []*candidate, q laneQuery, s Settings) {
	if s.Preset == PresetPRD {
		slices.SortFunc(found, byScore)
		return
	}
	slices.SortFunc(found, byFused)
	if s.Fusion == FusionRanking && !(q.useText && q.useVectors) {
		return
	}
	nearlyEqual := func(a, b *candidate) bool { return math.Abs(a.similarity-b.similarity) <= similarityWindow }
	if s.Fusion == FusionRanking {
		nearlyEqual = func(a, b *candidate) bool { return math.Abs(a.fused-b.fused) <= fusedWindow }
	}
	for start := 0; start < len(found); {
		end := start + 1
		for end < len(found) && nearlyEqual(found[start], found[end]) {
			end++
		}
		slices.SortFunc(found[start:end], byScore)
		start = end
	}
}

// byScore and byFused compare the ids last, so that the result does not depend on
// the order in which the lanes found the candidates.
func byScore(a, b *candidate) int {
	switch {
	case a.score != b.score:
		return cmp.Compare(b.score, a.score)
	case a.fused != b.fused:
		return cmp.Compare(b.fused, a.fused)
	}
	return cmp.Compare(a.ID, b.ID)
}

func byFused(a, b *candidate) int {
	if a.fused != b.fused {
		return cmp.Compare(b.fused, a.fused)
	}
	return byScore(a, b)
}
