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
	moved := Moves{}
	for _, h := range found {
		if tier, last := decay.At(h, limits, now, at); tier != h.Tier {
			moved[h.ID] = last
		}
	}
	return moved, err
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
