package recall

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// How far apart candidates may be to count as equal, so that recency and use
// decide: by the sum of the ranking, which lies round 10 for a good answer, or
// by the similarity of the other fusions. On the golden sets either costs less
// than half a point of recall@10 and of mean reciprocal rank, where the composite
// alone costs between two and fourteen points of the first and more of the other.
const (
	fusedWindow      = 0.2
	similarityWindow = 0.03
)

// score gives every candidate its composite.
func score(found []*candidate, now time.Time, s Settings) {
	for _, c := range found {
		c.composite = compositeOf(c.Memory, c.similarity, now, s)
		c.score = c.composite.score(s)
	}
}

// order puts the best first. By the preset prd the composite decides alone;
// otherwise the fusion does, and the composite only among candidates that are
// within a window of the best of their group. A lane that was asked for alone
// orders alone.
func order(found []*candidate, q question, s Settings) {
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

// byScore and byRank end with the id, so that an order never depends on the
// order in which candidates were found.
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
