package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// Swept is what became of a due sweep of one workspace.
type Swept struct {
	Workspace string
	Moves     int
	Held      string // why it did not run; empty if it did
}

// SweepDue runs the sweeps that are due, in every workspace. A workspace waits for
// its first scan, so that the first sweep sees all of a new index.
func (e *Engine) SweepDue(ctx context.Context) (done []Swept, err error) {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || e.options().ReadOnly || !s.currentHealth().scannedAll {
			continue
		}
		due, err := e.isSweepDue(ctx, s)
		if !due || err != nil {
			errs = append(errs, err)
			continue
		}
		answer, err := e.sweep(ctx, s, e.now(), false)
		errs = append(errs, err)
		if err == nil {
			swept := Swept{Workspace: s.Name, Moves: answer.Total}
			if answer.Held != nil {
				swept.Held = *answer.Held
			}
			done = append(done, swept)
		}
	}
	return done, errors.Join(errs...)
}

// isSweepDue reports whether a sweep should run. Its time has come since the last
// one, or the clock is behind that. The sweep then reports that.
func (e *Engine) isSweepDue(ctx context.Context, s *workspaceState) (bool, error) {
	state, err := s.db.SweepState(ctx)
	if err != nil {
		return false, err
	}
	now := e.now()
	return state.LastRun.IsZero() || now.Before(state.LastRun) || !now.Before(e.options().Schedule.Next(state.LastRun, s.zone())), nil
}

// ClockMoved reports what the clock showed a moment ago and shows now. After a jump
// that nobody believes it holds the sweeps. A jump back to where the clock was
// releases them.
func (e *Engine) ClockMoved(ctx context.Context, from, to time.Time) error {
	reason := decay.Jumped(from, to)
	if reason == "" || e.options().ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			errs = append(errs, s.holdSweeps(ctx, index.Hold{Reason: reason, Before: from}, to))
		}
	}
	return errors.Join(errs...)
}

func (s *workspaceState) holdSweeps(ctx context.Context, hold index.Hold, now time.Time) error {
	state, err := s.db.SweepState(ctx)
	if err != nil {
		return err
	}
	next := &hold
	if state.Hold != nil && !now.Before(state.Hold.Before) && decay.Jumped(state.Hold.Before, now) == "" {
		next = nil
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.HoldSweeps(next) })
}

// isClockDoubtful reports whether sweeps are held.
func (s *workspaceState) isClockDoubtful(ctx context.Context, now time.Time) (bool, error) {
	state, err := s.db.SweepState(ctx)
	return heldReason(state, now) != nil, err
}
