package index

import (
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/ageing"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Move moves those of some memories that the policy moves now, and returns the
// moves by id. It reads them again: one of them may have been used or pinned since
// it was found. zone is that of the date in the reason that a person reads.
func (tx *Tx) Move(ids []memory.ID, t decay.Thresholds, zone *time.Location) (moves []memory.TierMove, err error) {
	cs, err := tx.changes.SelectIDs(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		if m, moved := ageing.Move(cs.Rows[id], t, tx.Now, zone); moved {
			moves = append(moves, m)
		}
	}
	return moves, cs.Save()
}

// CorrectFuture sets the times of uses and moves that are later than now to now, of
// at most limit memories, and returns their number. A clock that was ahead wrote
// these times, and they would outlast every later decision.
func (tx *Tx) CorrectFuture(limit int) (int, error) {
	cs, err := tx.changes.Select(ageing.SelectFuture, sqlite.ToMillis(tx.Now), limit)
	if err != nil {
		return 0, err
	}
	for _, r := range cs.Rows {
		ageing.CorrectFuture(r, tx.Now)
	}
	return len(cs.Rows), cs.Save()
}

// SetGrades stores the grades of some memories.
func (tx *Tx) SetGrades(grades map[memory.ID]memory.Grade) error {
	cs, err := tx.changes.SelectIDs(slices.Sorted(maps.Keys(grades)))
	if err != nil {
		return err
	}
	for id, r := range cs.Rows {
		r.SetGrade(grades[id])
	}
	return cs.Save()
}
