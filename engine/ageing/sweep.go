// Package ageing does what time asks for. It moves memories between the tiers in sweeps, and
// holds them while the clock is not believed. It answers which tiers memories will have and
// had. It finds COLD memories that another text makes superfluous, and grades importance by
// stated rules.
package ageing

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// sweepSlice is the number of memories that the first transactions of a sweep move.
// Commands that write take turns with the slices, so a store waits for one of them.
const sweepSlice = 250

// Sweep moves the memories of an index that are due, in slices. All have the same time.
type Sweep struct {
	DB     *index.DB
	Limits decay.Thresholds
	Zone   *time.Location
	Now    time.Time

	// Lock waits for the turn of the sweep among all commands that write.
	Lock func(context.Context) (unlock func(), err error)
	// StepDone is called after each slice. An error ends the sweep.
	StepDone func(step string) error

	batch string
	moves []memory.TierMove
}

// Run moves every memory that is due. The last transaction notes the time of the sweep,
// so an interrupted sweep is still due and continues.
func (w *Sweep) Run(ctx context.Context) (a memory.DecayAnswer, err error) {
	due, err := MovesAt(ctx, w.DB, w.Limits, w.Now, w.Now)
	if err != nil {
		return a, err
	}
	w.batch = uuid.NewString()
	if err := w.moveAll(ctx, due.IDs()); err != nil {
		return a, err
	}
	a.Batch = w.batch
	for _, m := range w.moves {
		AddMove(&a, m)
	}
	return a, nil
}

func (w *Sweep) moveAll(ctx context.Context, ids []memory.ID) error {
	size := sweepSlice
	for len(ids) > 0 {
		n := min(size, len(ids))
		took, err := w.moveInTurn(ctx, ids[:n])
		if err != nil {
			return err
		}
		if err := w.StepDone("slice"); err != nil {
			return err
		}
		ids, size = ids[n:], nextSlice(size, took)
	}
	return w.DB.Update(ctx, w.Now, func(tx *index.Tx) error { return tx.SetLastSweep() })
}

// moveInTurn moves one slice when it is its turn among all commands that write. A store
// has several transactions, so it would else wait for a slice before each of them.
func (w *Sweep) moveInTurn(ctx context.Context, slice []memory.ID) (took time.Duration, err error) {
	unlock, err := w.Lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	began := time.Now()
	err = w.DB.Update(ctx, w.Now, func(tx *index.Tx) error { return w.move(tx, slice) })
	return time.Since(began), err
}

// A person notices a store that waits for more than 0.3 s. A slice that takes longer than
// longSlice is followed by smaller ones, down to minSlice. One that takes less than
// shortSlice is followed by larger ones, which write fewer pages, up to maxSlice.
const (
	shortSlice = 40 * time.Millisecond
	longSlice  = 100 * time.Millisecond
	minSlice   = 25
	maxSlice   = 500
)

// nextSlice returns the size of the next slice after one of a size took some time.
func nextSlice(size int, took time.Duration) int {
	switch {
	case took < shortSlice:
		return min(2*size, maxSlice)
	case took > longSlice:
		return max(size/2, minSlice)
	}
	return size
}

// move moves one slice and audits it.
func (w *Sweep) move(tx *index.Tx, ids []memory.ID) error {
	moves, err := tx.Move(ids, w.Limits, w.Zone)
	if err != nil {
		return err
	}
	w.moves = append(w.moves, moves...)
	rows := make([]memory.AuditRow, len(moves))
	for i, m := range moves {
		rows[i] = memory.AuditRow{Action: string(actionOf(m)), ID: m.ID, Source: AuditedAs, Batch: w.batch,
			Old: map[string]any{"tier": m.From}, New: map[string]any{"tier": m.To, "reason": m.Reason}}
	}
	return tx.Audit(rows...)
}

// AuditedAs is who moves memories, in the audit.
const AuditedAs = "decay"

func actionOf(m memory.TierMove) memory.Action {
	switch {
	case m.To == memory.TierArchive:
		return memory.ActionArchive
	case slices.Index(memory.Tiers, m.To) < slices.Index(memory.Tiers, m.From):
		return memory.ActionPromote
	}
	return memory.ActionDemote
}

// maxListedMoves is the number of moves that an answer lists, as of memories in any answer.
const maxListedMoves = 10_000

// AddMove counts a move in an answer, and lists it.
func AddMove(a *memory.DecayAnswer, m memory.TierMove) {
	if a.Total++; a.Total <= maxListedMoves {
		a.Moves = append(a.Moves, m)
	}
}

// AddMoves adds the moves of another answer.
func AddMoves(a *memory.DecayAnswer, more memory.DecayAnswer) {
	for _, m := range more.Moves {
		AddMove(a, m)
	}
	a.Total += more.Total - len(more.Moves)
}

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

// IsDue reports whether a sweep should run. Its time has come since the last one, or the
// clock is behind that. The sweep then reports that.
func IsDue(ctx context.Context, db *index.DB, schedule decay.Schedule, zone *time.Location, now time.Time) (bool, error) {
	state, err := db.SweepState(ctx)
	if err != nil {
		return false, err
	}
	return schedule.IsDue(state.LastRun, now, zone), nil
}

// HeldReason returns why no sweep may run now, or nil.
func HeldReason(state index.SweepState, now time.Time) *string {
	reason := ""
	if !state.LastRun.IsZero() {
		reason = decay.Backwards(now, state.LastRun)
	}
	if reason == "" && state.Hold != nil {
		reason = state.Hold.Reason
	}
	if reason == "" {
		return nil
	}
	return &reason
}

// ReleaseIfHeld returns why no sweep may run now, or nil. With release it believes the
// clock from now on, and sweeps may run. Times that a clock which was ahead has written
// become now.
func ReleaseIfHeld(ctx context.Context, db *index.DB, now time.Time, release bool) (held *string, err error) {
	state, err := db.SweepState(ctx)
	if err != nil {
		return nil, err
	}
	if held = HeldReason(state, now); held == nil || !release {
		return held, nil
	}
	return nil, releaseSweeps(ctx, db, now)
}

func releaseSweeps(ctx context.Context, db *index.DB, now time.Time) error {
	for corrected := sweepSlice; corrected == sweepSlice; {
		if err := db.Update(ctx, now, func(tx *index.Tx) (err error) {
			corrected, err = tx.CorrectFuture(sweepSlice)
			return errors.Join(err, tx.HoldSweeps(nil))
		}); err != nil {
			return err
		}
	}
	return nil
}

// lookInterval is how often the time is noted: seldom enough to write nearly nothing, and
// often enough to notice any jump that is not believed.
const lookInterval = time.Hour

// LookAtClock compares the clock with the last time that was noted, also by an earlier
// process, and notes it. After a jump that is not believed it holds the sweeps. A jump
// back to where the clock was releases them.
func LookAtClock(ctx context.Context, db *index.DB, now time.Time) error {
	state, err := db.SweepState(ctx)
	if err != nil {
		return err
	}
	if passed := now.Sub(state.LastLook); passed >= 0 && passed < lookInterval {
		return nil
	}
	hold, jumped := state.Hold, ""
	if !state.LastLook.IsZero() {
		jumped = decay.Jumped(state.LastLook, now)
	}
	switch {
	case jumped == "":
	case hold != nil && !now.Before(hold.Before) && decay.Jumped(hold.Before, now) == "":
		hold = nil
	default:
		hold = &index.Hold{Reason: jumped, Before: state.LastLook}
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return errors.Join(tx.SetLastLook(), tx.HoldSweeps(hold)) })
}

// IsClockDoubtful reports whether sweeps are held.
func IsClockDoubtful(ctx context.Context, db *index.DB, now time.Time) (bool, error) {
	state, err := db.SweepState(ctx)
	return HeldReason(state, now) != nil, err
}
