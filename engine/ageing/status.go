package ageing

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// Preview lists the moves of the sweeps until a time, and holds nothing back.
func Preview(ctx context.Context, db *index.DB, limits decay.Thresholds, now, at time.Time) (memory.DecayAnswer, error) {
	moved, err := MovesAt(ctx, db, limits, now, at)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	a := memory.DecayAnswer{Preview: true}
	for _, m := range moved.Sorted() {
		AddMove(&a, m.TierMove)
	}
	state, err := db.SweepState(ctx)
	a.Held = HeldReason(state, now)
	return a, err
}

// Status reports when sweeps run, and how many memories the next one would move.
func Status(ctx context.Context, db *index.DB, limits decay.Thresholds, schedule decay.Schedule, zone *time.Location, now time.Time) (memory.DecayStatus, error) {
	state, err := db.SweepState(ctx)
	if err != nil {
		return memory.DecayStatus{}, err
	}
	moved, err := MovesAt(ctx, db, limits, now, now)
	if err != nil {
		return memory.DecayStatus{}, err
	}
	status := memory.DecayStatus{NextRun: now.Truncate(time.Minute).Add(time.Minute), Schedule: schedule.String(),
		Held: HeldReason(state, now), Due: map[memory.Tier]int{memory.TierHot: 0, memory.TierWarm: 0, memory.TierCold: 0}}
	if !state.LastRun.IsZero() {
		status.LastRun = &state.LastRun
		if next := schedule.Next(state.LastRun, zone).UTC(); next.After(status.NextRun) {
			status.NextRun = next
		}
	}
	for _, m := range moved {
		status.Due[m.From]++
	}
	return status, nil
}
