package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
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
		due, err := ageing.IsDue(ctx, s.db, e.options().Schedule, s.zone(), e.now())
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

// LookAtClock is [ageing.LookAtClock] for every workspace.
func (e *Engine) LookAtClock(ctx context.Context) error {
	if e.options().ReadOnly {
		return nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			errs = append(errs, ageing.LookAtClock(ctx, s.db, e.now()))
		}
	}
	return errors.Join(errs...)
}

// sweep moves every memory of a workspace that is due, unless the clock is not believed.
func (e *Engine) sweep(ctx context.Context, s *workspaceState, now time.Time, release bool) (memory.DecayAnswer, error) {
	s.sweepMu.Lock()
	defer s.sweepMu.Unlock()
	if s.diskFull != nil {
		return memory.DecayAnswer{}, s.diskFull
	}
	held, err := ageing.ReleaseIfHeld(ctx, s.db, now, release)
	if held != nil || err != nil {
		return memory.DecayAnswer{Held: held}, err
	}
	if err := s.flush(ctx, e.options().Receipts.Keep); err != nil {
		return memory.DecayAnswer{}, err
	}
	w := ageing.Sweep{DB: s.db, Limits: e.options().Tiers, Zone: s.zone(), Now: now, Lock: s.lockIngest, StepDone: s.StepDone}
	return w.Run(ctx)
}
