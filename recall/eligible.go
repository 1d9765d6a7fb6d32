package recall

import (
	"path"
	"strings"

	"github.com/memory-tiered/memory"
)

// Why a candidate has no place in a block.
const (
	LeftHidden      = "hidden"       // forgotten, missing, private, quarantined or superseded
	LeftArchived    = "archived"     // its tier is never injected
	LeftInPrompt    = "in_prompt"    // the host says it already
	LeftDuplicate   = "duplicate_of" // another says the same
	LeftBelowFloor  = "below_floor"  // too little to do with the question
	LeftTierBudget  = "tier_budget"  // others took the places
	LeftTokenBudget = "token_budget" // it did not fit
)

// Left says why a candidate is not in the block: the first reason that held.
type Left struct {
	ID     memory.ID
	Reason string
	By     memory.ID // the memory that speaks for it
	Floor  float64   // that it is below

	Similarity, Score float64
}

func (c *candidate) left(reason string) Left {
	return Left{ID: c.ID, Reason: reason, Similarity: c.similarity, Score: c.score}
}

// eligible drops what may never be injected, whatever the source let through,
// and what the prompt holds already.
func eligible(found []*candidate, inPrompt []string) (kept []*candidate, left []Left) {
	said := map[string]bool{}
	for _, p := range inPrompt {
		said[relative(p)] = true
	}
	for _, c := range found {
		switch {
		case hidden(c.Memory):
			left = append(left, c.left(LeftHidden))
		case c.Tier == memory.TierArchive:
			left = append(left, c.left(LeftArchived))
		case said[relative(c.Path)]:
			left = append(left, c.left(LeftInPrompt))
		default:
			kept = append(kept, c)
		}
	}
	return kept, left
}

func hidden(m *memory.Memory) bool {
	return m.Forgotten || m.Missing || m.Private || m.Trust == memory.TrustQuarantined || m.SupersededBy != nil
}

// relative writes a path as memories have theirs.
func relative(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// overFloor drops what has too little to do with the question.
func overFloor(found []*candidate, s Settings) (kept []*candidate, left []Left) {
	for _, c := range found {
		if floor := s.floor(c.Memory); c.similarity < floor {
			below := c.left(LeftBelowFloor)
			below.Floor = floor
			left = append(left, below)
			continue
		}
		kept = append(kept, c)
	}
	return kept, left
}
