package recall

import "slices"

// likely is the similarity from which a memory more likely answers the prompt than
// not. On the golden sets, four in five right memories of a block have it, and half of
// the others.
const likely = 0.5

// markEarned marks the answer's memories that their fused score alone would have
// given a place: among the first of found, which are all that competed. Tier, age and
// number of uses play no part in it. So a memory cannot stay popular by being popular.
// leastFor returns the similarity that a memory needs.
func markEarned(found, answer []*candidate, leastFor func(*candidate) float64) {
	best := slices.Clone(found)
	slices.SortFunc(best, byFused)
	for _, c := range best[:min(len(answer), len(best))] {
		c.earned = c.similarity >= leastFor(c)
	}
}
