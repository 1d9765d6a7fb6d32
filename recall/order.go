package recall

import (
	"cmp"
	"slices"
	"time"
)

// window is how far apart two similarities may be to count as equal, so that
// recency and use decide. On four golden sets 0.03 costs nothing of recall@10
// against similarity alone and less than a point of mean reciprocal rank; 0.1
// costs three, the composite alone twenty-five.
const window = 0.03

// score gives every candidate its composite.
func score(found []candidate, now time.Time, s Settings) {
	for i := range found {
		c := &found[i]
		c.score, c.factors = Score(c.Memory, c.similarity, now, s)
	}
}

// order puts the best first. By the preset prd the composite decides alone;
// otherwise the fusion does, and the composite only among candidates that are
// within a window of the best of their group.
func order(found []candidate, s Settings) {
	if s.Preset == PresetPRD {
		slices.SortStableFunc(found, byScore)
		return
	}
	slices.SortStableFunc(found, byRank)
	for start := 0; start < len(found); {
		end := start + 1
		for end < len(found) && nearlyEqual(found[start], found[end]) {
			end++
		}
		slices.SortStableFunc(found[start:end], byScore)
		start = end
	}
}

func nearlyEqual(a, b candidate) bool {
	d := a.similarity - b.similarity
	return d <= window && -d <= window
}

// byScore and byRank end with the id, so that an order never depends on the
// order in which candidates were found.
func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.rank, a.rank), cmp.Compare(a.ID, b.ID))
}

func byRank(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID))
}
