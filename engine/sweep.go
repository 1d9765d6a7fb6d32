package engine

import (
	"context"
	"errors"
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

// bulkSweep is the number of moves over which the first sweep of an index has one row in
// the audit. Nobody reads a list of thousands that all aged at once.
const bulkSweep = 500

// A sweep in slices, all at the same time.
type sweep struct {
	*workspaceState
	limits decay.Thresholds
	now    time.Time
	batch  string
	bulk   bool // the first sweep of a large index, whose audit is one row
	moves  []memory.TierMove
}

// sweep moves every memory that is due, unless the clock is not believed. The last
// slice notes its time, so an interrupted sweep is still due and continues.
func (e *Engine) sweep(ctx context.Context, s *workspaceState, now time.Time, release bool) (memory.DecayAnswer, error) {
	s.sweepMu.Lock()
	defer s.sweepMu.Unlock()
	if s.diskFull != nil {
		return memory.DecayAnswer{}, s.diskFull
	}
	state, err := s.db.SweepState(ctx)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	if held := heldReason(state, now); held != nil {
		if !release {
			return memory.DecayAnswer{Held: held}, nil
		}
		if err := s.releaseSweeps(ctx, now); err != nil {
			return memory.DecayAnswer{}, err
		}
	}
	if err := s.flush(ctx, e.options().Receipts.Keep); err != nil {
		return memory.DecayAnswer{}, err
	}
	due, err := s.tiersAt(ctx, e.options().Tiers, now, now)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	w := sweep{workspaceState: s, limits: e.options().Tiers, now: now, batch: uuid.NewString(),
		bulk: state.LastRun.IsZero() && len(due) > bulkSweep}
	if err := w.run(ctx, due.ids()); err != nil {
		return memory.DecayAnswer{}, err
	}
	a := memory.DecayAnswer{Batch: w.batch}
	for _, m := range w.moves {
		addMove(&a, m)
	}
	return a, nil
}

func (w *sweep) run(ctx context.Context, ids []memory.ID) error {
	size := sweepSlice
	for len(ids) > 0 {
		n := min(size, len(ids))
		took, err := w.moveInTurn(ctx, ids[:n])
		if err != nil {
			return err
		}
		if err := w.stepDone("slice"); err != nil {
			return err
		}
		ids, size = ids[n:], nextSlice(size, took)
	}
	return w.db.Update(ctx, w.now, func(tx *index.Tx) error { return tx.SetLastSweep() })
}

// moveInTurn moves one slice when it is its turn among all commands that write. A store
// has several transactions, so it would else wait for a slice before each of them.
func (w *sweep) moveInTurn(ctx context.Context, slice []memory.ID) (took time.Duration, err error) {
	unlock, err := w.lockIngest(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	began := time.Now()
	err = w.db.Update(ctx, w.now, func(tx *index.Tx) error { return w.move(tx, slice) })
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
func (w *sweep) move(tx *index.Tx, ids []memory.ID) error {
	moves, err := tx.Move(ids, w.limits, w.zone())
	if err != nil {
		return err
	}
	w.moves = append(w.moves, moves...)
	if w.bulk {
		return tx.AuditTotal(w.total())
	}
	rows := make([]memory.AuditRow, len(moves))
	for i, m := range moves {
		rows[i] = memory.AuditRow{Action: string(actionOf(m)), ID: m.ID, Source: auditedAs, Batch: w.batch,
			Old: map[string]any{"tier": m.From}, New: map[string]any{"tier": m.To, "reason": m.Reason}}
	}
	return tx.Audit(rows...)
}

// auditedAs is who moves memories, in the audit.
const auditedAs = "decay"

// total returns the audit row that stands for all moves so far.
func (w *sweep) total() memory.AuditRow {
	counts := map[string]any{"moves": len(w.moves)}
	for _, m := range w.moves {
		reason := string(m.From) + " to " + string(m.To)
		n, _ := counts[reason].(int)
		counts[reason] = n + 1
	}
	return memory.AuditRow{Action: auditedAs, Source: auditedAs, Batch: w.batch, New: counts}
}

func actionOf(m memory.TierMove) memory.Action {
	switch {
	case m.To == memory.TierArchive:
		return memory.ActionArchive
	case slices.Index(memory.Tiers, m.To) < slices.Index(memory.Tiers, m.From):
		return memory.ActionPromote
	}
	return memory.ActionDemote
}

func addMove(a *memory.DecayAnswer, m memory.TierMove) {
	if a.Total++; a.Total <= maxListedMoves {
		a.Moves = append(a.Moves, m)
	}
}

// heldReason returns why no sweep may run now, or nil.
func heldReason(state index.SweepState, now time.Time) *string {
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

// releaseSweeps believes the clock from now on. Times that a clock which was ahead
// has written become now.
func (s *workspaceState) releaseSweeps(ctx context.Context, now time.Time) error {
	for corrected := sweepSlice; corrected == sweepSlice; {
		if err := s.db.Update(ctx, now, func(tx *index.Tx) (err error) {
			corrected, err = tx.CorrectFuture(sweepSlice)
			return errors.Join(err, tx.HoldSweeps(nil))
		}); err != nil {
			return err
		}
	}
	return nil
}
