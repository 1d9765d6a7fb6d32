// Package ageing moves memories between the tiers of an index as time passes. It runs the
// sweeps and holds them while the clock is not believed. It also answers which tiers memories
// will have and had.
package ageing

import (
	"context"
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
	bulk  bool // the first sweep of a large index, whose audit is one row
	moves []memory.TierMove
}

// Run moves every memory that is due. The last transaction notes the time of the sweep,
// so an interrupted sweep is still due and continues.
func (w *Sweep) Run(ctx context.Context) (a memory.DecayAnswer, err error) {
	state, err := w.DB.SweepState(ctx)
	if err != nil {
		return a, err
	}
	due, err := MovesAt(ctx, w.DB, w.Limits, w.Now, w.Now)
	if err != nil {
		return a, err
	}
	w.batch, w.bulk = uuid.NewString(), state.LastRun.IsZero() && len(due) > bulkSweep
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
func (w *Sweep) total() memory.AuditRow {
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

// maxListedMoves is the number of moves that an answer lists, as of memories in any answer.
const maxListedMoves = 10_000

// AddMove counts a move in an answer, and lists it.
func AddMove(a *memory.DecayAnswer, m memory.TierMove) {
	if a.Total++; a.Total <= maxListedMoves {
		a.Moves = append(a.Moves, m)
	}
}
