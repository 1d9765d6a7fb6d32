package ageing

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// Moves contains the memories that have another tier at a later time, if
// nothing uses them. The others keep theirs.
type Moves map[memory.ID]decay.Move

// MovesAt computes the moves of the sweeps from now to a time.
func MovesAt(ctx context.Context, db *index.DB, limits decay.Thresholds, now, at time.Time) (Moves, error) {
	found, err := db.Movable(ctx, limits, at)
	return movesOf(found, limits, now, at), err
}

// movesAtOf is movesAt for some memories.
func movesAtOf(ctx context.Context, db *index.DB, ids []memory.ID, limits decay.Thresholds, now, at time.Time) (Moves, error) {
	found, err := db.MovableAmong(ctx, ids, limits, at)
	return movesOf(found, limits, now, at), err
}

// movesOf computes the moves of some memories from now to a time.
func movesOf(found []decay.History, limits decay.Thresholds, now, at time.Time) Moves {
	moved := Moves{}
	for _, h := range found {
		if tier, last := decay.At(h, limits, now, at); tier != h.Tier {
			moved[h.ID] = last
		}
	}
	return moved
}

// IDs returns the memories that move, in order.
func (moved Moves) IDs() []memory.ID { return slices.Sorted(maps.Keys(moved)) }

// Sorted returns the moves in the order of the ids.
func (moved Moves) Sorted() (moves []decay.Move) {
	for _, id := range moved.IDs() {
		moves = append(moves, moved[id])
	}
	return moves
}

// apply gives memories their later tiers, and drops those that a predicate's tier
// excludes then.
func (moved Moves) apply(memories []memory.Memory, p memory.Predicate, at time.Time) (kept []memory.Memory) {
	for _, m := range memories {
		if move, ok := moved[m.ID]; ok {
			m.Tier, m.TierReason = move.To, decay.Explain(move.TierMove, at)
		}
		if p.Tier == m.Tier || p.Tier == "" && (p.Archive || m.Tier != memory.TierArchive) {
			kept = append(kept, m)
		}
	}
	return kept
}

// anyTier returns a predicate without its conditions on the tier.
func anyTier(p memory.Predicate) memory.Predicate {
	p.Tier, p.Archive = "", true
	return p
}
