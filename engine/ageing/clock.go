package ageing

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// IsDue reports whether a sweep should run. Its time has come since the last one, or the
// clock is behind that. The sweep then reports that.
func IsDue(ctx context.Context, db *index.DB, schedule decay.Schedule, zone *time.Location, now time.Time) (bool, error) {
	state, err := db.SweepState(ctx)
	if err != nil {
		return false, err
	}
	return state.LastRun.IsZero() || now.Before(state.LastRun) || !now.Before(schedule.Next(state.LastRun, zone)), nil
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

// HoldSweeps holds the sweeps, unless the clock is where it was before an earlier hold.
// That one ends then.
func HoldSweeps(ctx context.Context, db *index.DB, hold index.Hold, now time.Time) error {
	state, err := db.SweepState(ctx)
	if err != nil {
		return err
	}
	next := &hold
	if state.Hold != nil && !now.Before(state.Hold.Before) && decay.Jumped(state.Hold.Before, now) == "" {
		next = nil
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return tx.HoldSweeps(next) })
}

// IsClockDoubtful reports whether sweeps are held.
func IsClockDoubtful(ctx context.Context, db *index.DB, now time.Time) (bool, error) {
	state, err := db.SweepState(ctx)
	return HeldReason(state, now) != nil, err
}
