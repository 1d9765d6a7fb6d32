package recall

import (
	"math"

	"github.com/memory-tiered/memory"
)

// pack chooses what goes into the block, from candidates in order, best first.
// Each budget's places go to the best of its kind; the remainder of the
// division and every place that stays free go to the best of the others,
// whatever their tier: first to those that somebody labelled as important. fits
// is then asked for each in order and says whether the text still has room: what
// has none is skipped, and its place goes on.
func pack(found []*candidate, maxItems int, b Budgets, fits func(*candidate) bool) (chosen []*candidate, left []Rejection) {
	places := assignPlaces(found, maxItems, b)
	const waiting, in, skipped = 0, 1, 2
	state := make([]int, len(found))
	taken := 0
	for _, wanted := range []bool{true, false} {
		for i, c := range found {
			if places[i] != wanted || taken == maxItems {
				continue
			}
			if state[i] = skipped; fits(c) {
				state[i] = in
				taken++
			}
		}
	}
	for i, c := range found {
		switch state[i] {
		case in:
			chosen = append(chosen, c)
		case skipped:
			left = append(left, c.reject(RejectedTokenBudget))
		case waiting:
			left = append(left, c.reject(RejectedTierBudget))
		}
	}
	return chosen, left
}

// assignPlaces says which candidates have a place: by budget, by label, and by order.
// Letting in others only where no labelled one is over the floor would be a wall:
// on examples-workspace, 70 of 100 right lines were injected then, not 92.
func assignPlaces(found []*candidate, maxItems int, b Budgets) []bool {
	places := make([]bool, len(found))
	free := maxItems
	for _, share := range quotas(maxItems, b) {
		for i, c := range found {
			if share.places > 0 && !places[i] && share.matches(c.Memory) {
				places[i] = true
				share.places--
				free--
			}
		}
	}
	for _, others := range []bool{false, true} {
		for i, c := range found {
			if free > 0 && !places[i] && (others || c.isPreferred()) {
				places[i] = true
				free--
			}
		}
	}
	return places
}

// isPreferred says whether somebody labelled a memory as important that has
// something to do with the question, however low the floor is set.
func (c *candidate) isPreferred() bool {
	return c.ImportanceLabel.Preferred() && c.similarity >= DefaultFloor
}

type quota struct {
	places  int
	matches func(*memory.Memory) bool
}

// quotas gives each budget its places: rounded down, so that they never exceed
// the whole. Each memory belongs to one: a pinned one that the pins' places do
// not reach is one of the others.
func quotas(maxItems int, b Budgets) []quota {
	places := func(percent float64) int {
		return int(math.Floor(float64(maxItems)*percent/100 + 1e-9)) // 20 × 45 % is 9, not 8.999…
	}
	in := func(t memory.Tier) func(*memory.Memory) bool {
		return func(m *memory.Memory) bool { return m.Tier == t && !m.Pinned }
	}
	return []quota{
		{places(b.Pinned), func(m *memory.Memory) bool { return m.Pinned }},
		{places(b.Hot), in(memory.TierHot)},
		{places(b.Warm), in(memory.TierWarm)},
		{places(b.Cold), in(memory.TierCold)},
	}
}

// countByTier counts candidates by their tier.
func countByTier(found []*candidate) map[memory.Tier]int {
	n := map[memory.Tier]int{}
	for _, c := range found {
		n[c.Tier]++
	}
	return n
}
