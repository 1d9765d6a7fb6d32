package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/store"
)

// Decay runs a sweep of the ageing policy, or reports what one would do. A sweep never
// writes Markdown; a compaction is a decision, and does.
func (e *Engine) Decay(ctx context.Context, r memory.DecayRequest) (memory.DecayAnswer, error) {
	s, err := e.ageingWorkspace(r.Workspace)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	now := e.now()
	at, asOf, err := lookup.AsOf(r.AsOf, now, s.Zone)
	switch {
	case err != nil:
		return memory.DecayAnswer{}, err
	case asOf && !r.Preview:
		return memory.DecayAnswer{}, memory.Invalid("as_of", "a sweep at another time can only be previewed").
			WithHint("add --preview, or leave out --as-of")
	case r.Release && r.Preview:
		return memory.DecayAnswer{}, memory.Invalid("release", "a preview releases nothing").WithHint("leave out either preview or release")
	case r.Compact && (asOf || r.Release):
		return memory.DecayAnswer{}, memory.Invalid("compact", "compact takes only a preview").WithHint("leave out as_of and release")
	case r.Unused < 0 || r.Unused > 0 && !r.Compact:
		return memory.DecayAnswer{}, memory.Invalid("unused_days", "%v days unused is for compact alone", r.Unused).WithHint("memory decay compact --unused 180")
	case r.Preview && !r.Compact:
		return ageing.Preview(ctx, s.db, e.options().Tiers, now, at)
	}
	if err := e.refuseWhenReadOnly(); err != nil && !r.Preview {
		return memory.DecayAnswer{}, err
	}
	if r.Compact {
		return e.compact(ctx, s, now, r, "cli")
	}
	return e.sweep(ctx, s, now, r.Release)
}

// ageingWorkspace returns the workspace with a name, whose memories age.
func (e *Engine) ageingWorkspace(name string) (*workspaceState, error) {
	s, err := e.lookup(name)
	if err == nil && s.Options.Documents {
		err = memory.Invalid("workspace", "passages of documents do not age").WithHint("name a workspace of memories")
	}
	return s, err
}

// DecayStatus reports when sweeps run, and how many memories the next one would move.
func (e *Engine) DecayStatus(ctx context.Context, workspace string) (memory.DecayStatus, error) {
	s, err := e.ageingWorkspace(workspace)
	if err != nil {
		return memory.DecayStatus{}, err
	}
	return ageing.Status(ctx, s.db, e.options().Tiers, e.options().Schedule, s.zone(), e.now())
}

// decayDefaults sets the thresholds and the schedule of options that have none.
func decayDefaults(o *Options) {
	if o.Tiers == (decay.Thresholds{}) {
		o.Tiers = decay.DefaultThresholds()
	}
	if o.Schedule == (decay.Schedule{}) {
		o.Schedule = decay.Every(defaultSweepInterval)
	}
}

// defaultSweepInterval is four times a day: often enough for a limit of 72 hours.
const defaultSweepInterval = 6 * time.Hour

// Swept is what became of a due sweep of one workspace.
type Swept struct {
	Workspace string
	Moves     int
	Held      string // why it did not run; empty if it did
}

// SweepDue runs the sweeps that are due, in every workspace. A workspace waits for
// its first scan, so that the first sweep sees all of a new index.
func (e *Engine) SweepDue(ctx context.Context) (done []Swept, err error) {
	err = each(e.writableWorkspaces(), func(s *workspaceState) error {
		due, err := ageing.IsDue(ctx, s.db, e.options().Schedule, s.zone(), e.now())
		if !due || err != nil || s.Options.Documents || !s.currentHealth().scannedAll {
			return err
		}
		answer, err := e.sweep(ctx, s, e.now(), false)
		if err == nil {
			swept := Swept{Workspace: s.Name, Moves: answer.Total}
			if answer.Held != nil {
				swept.Held = *answer.Held
			}
			done = append(done, swept)
		}
		return err
	})
	return done, err
}

// LookAtClock is [ageing.LookAtClock] for every workspace.
func (e *Engine) LookAtClock(ctx context.Context) error {
	return each(e.writableWorkspaces(), func(s *workspaceState) error { return ageing.LookAtClock(ctx, s.db, e.now()) })
}

// sweep moves every memory of a workspace that is due, unless the clock is not believed. Then it
// archives the scenes that nobody used, if that is set.
func (e *Engine) sweep(ctx context.Context, s *workspaceState, now time.Time, release bool) (memory.DecayAnswer, error) {
	answer, err := e.moveDue(ctx, s, now, release)
	unused := e.options().CompactUnused
	if err != nil || answer.Held != nil || unused == 0 {
		return answer, err
	}
	compacted, err := e.compact(ctx, s, now, memory.DecayRequest{Unused: unused}, ageing.AuditedAs)
	ageing.AddMoves(&answer, compacted)
	return answer, err
}

func (e *Engine) moveDue(ctx context.Context, s *workspaceState, now time.Time, release bool) (memory.DecayAnswer, error) {
	s.sweepMu.Lock()
	defer s.sweepMu.Unlock()
	if s.unwritable != nil {
		return memory.DecayAnswer{}, s.unwritable
	}
	held, err := ageing.ReleaseIfHeld(ctx, s.db, now, release)
	if held != nil || err != nil {
		return memory.DecayAnswer{Held: held}, err
	}
	if err := s.flush(ctx, e.options().Receipts.Keep); err != nil {
		return memory.DecayAnswer{}, err
	}
	w := ageing.Sweep{DB: s.db, Limits: e.options().Tiers, Zone: s.zone(), Now: now, Lock: s.lockIngest, StepDone: s.StepDone}
	answer, err := w.Run(ctx)
	if err == nil {
		e.keepReceipt(ctx, s, receipts.OfSweep(answer))
	}
	if answer.Total >= freeMemoryAfter {
		s.db.FreeMemory()
	}
	return answer, err
}

// compact archives the COLD memories that the compactor finds superfluous, or those of scenes
// that nobody used. All are one command, which undo reverses if its source is a person.
func (e *Engine) compact(ctx context.Context, s *workspaceState, now time.Time, r memory.DecayRequest, source string) (memory.DecayAnswer, error) {
	compactor, preview := s.extensions.Compactor, r.Preview
	if r.Unused > 0 {
		compactor = ageing.ColdScenes{Now: now, Unused: time.Duration(min(r.Unused, lookup.MaxUnusedDays) * float64(24*time.Hour))}
	}
	found, err := ageing.FindCompactions(ctx, s.db, compactor, now)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	a := memory.DecayAnswer{Preview: preview}
	var ids []string
	var stored []memory.Memory
	for _, c := range found {
		kept := c.Keep
		if kept == "" && !preview {
			m, isNew, err := s.storeSummary(ctx, now, e.authorNamed(c.Memories[0].User, c.Memories[0].Scope), c)
			if err != nil {
				return memory.DecayAnswer{}, err
			}
			if kept = m.ID; isNew {
				stored = append(stored, m)
			}
		}
		for _, id := range c.Replaced {
			ids = append(ids, string(id))
			ageing.AddMove(&a, memory.TierMove{ID: id, From: memory.TierCold, To: memory.TierArchive, Reason: c.Reason(kept), By: kept})
		}
	}
	if len(ids) == 0 {
		return a, nil
	}
	if r.Unused > 0 && !preview {
		if err := s.Snapshot(ctx, now, "before compact"); err != nil {
			return a, err
		}
	}
	decided, err := e.Decide(ctx, memory.DecideRequest{Action: memory.ActionArchive, Source: source, Workspace: s.Name, IDs: ids, Preview: preview})
	a.Batch = decided.Batch
	for _, m := range stored {
		if err == nil {
			err = s.store.Audit(ctx, now, m, store.Appended{}, memory.AuditStore, plan.Command{Source: source, Batch: decided.Batch})
		}
	}
	return a, err
}

// storeSummary stores a text in the place of memories, unless a memory has it already.
func (s *workspaceState) storeSummary(ctx context.Context, now time.Time, by lookup.Author, c ageing.Compaction) (m memory.Memory, isNew bool, err error) {
	text, err := store.Validate(memory.StoreRequest{Text: c.Text})
	if err != nil {
		return m, false, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return m, false, err
	}
	defer unlock()
	return s.store.StoreCaptured(ctx, now, by, text, c.Declared(by.User, by.Scope))
}
