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
