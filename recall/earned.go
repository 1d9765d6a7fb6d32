package recall

import "slices"

// markEarned marks the answer's memories that their fused score alone would have
// given a place: among the first of found, which are all that competed. Tier, age and
// number of uses play no part in it. So a memory cannot stay popular by being popular.
func markEarned(found, answer []*candidate, s Settings) {
	best := slices.Clone(found)
	slices.SortFunc(best, byFused)
	for _, c := range best[:min(len(answer), len(best))] {
		c.earned = c.similarity >= s.floorFor(c.Memory)
	}
}
