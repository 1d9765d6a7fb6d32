package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// selectMovable selects the present memories that the ageing policy may move at a
// time, and some more. Injections count for a limited time only, so an injection
// excludes none.
const selectMovable = `SELECT id, tier, created_at, edited_at, expires_at, tier_held_until, tier_since,
		injected_at, requested_at, returned_at, tier_uses, tier_use_days FROM memories
	WHERE missing_since IS NULL AND NOT pinned AND (
		tier <> 'ARCHIVE' AND expires_at <= ?1
		OR tier = 'COLD' AND tier_uses >= ?2 AND tier_use_days >= ?3
		OR tier IN ('HOT', 'WARM') AND max(created_at, coalesce(edited_at, 0), coalesce(tier_held_until, 0), coalesce(requested_at, 0))
			<= CASE tier WHEN 'HOT' THEN ?4 ELSE ?5 END)`

// Movable returns the histories of the memories that the policy may move at a time,
// by id. decay.Next decides which of them it does move.
func (db *DB) Movable(ctx context.Context, t decay.Thresholds, at time.Time) (found []decay.History, err error) {
	args := []any{sqlite.ToMillis(at), t.ColdUses, t.ColdDays, sqlite.ToMillis(at.Add(-t.HotAge)), sqlite.ToMillis(at.Add(-t.WarmUnused))}
	err = db.sql.Read().Each(ctx, selectMovable+" ORDER BY id", args, func(scan func(...any) error) error {
		var r rows.Memory
		err := scan(&r.ID, &r.Tier, &r.CreatedAt, &r.EditedAt, &r.ExpiresAt, &r.HeldUntil, &r.TierSince,
			&r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.TierUses, &r.TierUseDays)
		found = append(found, historyOf(&r))
		return err
	})
	return found, sqlite.Wrap("find memories that age", err)
}

// historyOf returns what the ageing policy reads of a memory.
func historyOf(r *rows.Memory) decay.History {
	return decay.History{ID: r.ID, Tier: r.Tier, Pinned: r.Pinned,
		Created: r.CreatedAt.Time(), Edited: r.EditedAt.Time(), Expires: r.ExpiresAt.Time(),
		HeldUntil: r.HeldUntil.Time(), TierSince: r.TierSince.Time(),
		Injected: r.InjectedAt.Time(), Requested: r.RequestedAt.Time(), Returned: r.ReturnedAt.Time(),
		Uses: r.TierUses, UseDays: r.TierUseDays}
}

// Move moves those of some memories that the policy moves now, and returns the
// moves by id. It reads them again: one of them may have been used or pinned since
// it was found. zone is that of the date in the reason that a person reads.
func (tx *Tx) Move(ids []memory.ID, t decay.Thresholds, zone *time.Location) (moves []memory.TierMove, err error) {
	cs, err := tx.changes.SelectIDs(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		if m, moved := move(cs.Rows[id], t, tx.Now, zone); moved {
			moves = append(moves, m)
		}
	}
	return moves, cs.Save()
}

// move moves a memory to another tier if the policy moves it now. zone is that of
// the date in the reason that a person reads.
func move(r *rows.Memory, t decay.Thresholds, now time.Time, zone *time.Location) (moved memory.TierMove, ok bool) {
	if r.MissingSince != 0 {
		return moved, false
	}
	m, due := decay.Next(historyOf(r), t, now)
	if !due {
		return moved, false
	}
	r.ObservedTier, r.ObservedTierAt = m.To, sqlite.ToMillis(now)
	r.ObservedReason = decay.Explain(m.TierMove, now.In(zone))
	if m.ByInjection {
		r.ReturnedAt = r.ObservedTierAt
	}
	return m.TierMove, true
}

// selectFuture selects the memories with a time of a use or a move that is later than a
// time.
const selectFuture = `SELECT id FROM memories WHERE max(coalesce(observed_tier_at, 0), coalesce(tier_since, 0),
	coalesce(injected_at, 0), coalesce(requested_at, 0), coalesce(returned_at, 0), coalesce(last_accessed_at, 0)) > ? LIMIT ?`

// CorrectFuture sets the times of uses and moves that are later than now to now, of
// at most limit memories, and returns their number. A clock that was ahead wrote
// these times, and they would outlast every later decision.
func (tx *Tx) CorrectFuture(limit int) (int, error) {
	cs, err := tx.changes.Select(selectFuture, sqlite.ToMillis(tx.Now), limit)
	if err != nil {
		return 0, err
	}
	for _, r := range cs.Rows {
		correctFuture(r, tx.Now)
	}
	return len(cs.Rows), cs.Save()
}

// correctFuture sets the times of uses and moves that are later than now to now.
func correctFuture(r *rows.Memory, now time.Time) {
	for _, at := range []*sqlite.Millis{&r.ObservedTierAt, &r.TierSince, &r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.LastAccessed} {
		*at = min(*at, sqlite.ToMillis(now))
	}
	r.TierUsedOn = min(r.TierUsedOn, now.Format(time.DateOnly))
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

// ReplaceGrades gives memories earlier grades. An empty part of a grade removes the present one.
func (tx *Tx) ReplaceGrades(grades map[memory.ID]memory.Grade) error {
	cs, err := tx.changes.SelectIDs(slices.Sorted(maps.Keys(grades)))
	if err != nil {
		return err
	}
	for id, r := range cs.Rows {
		r.GradedImportance, r.GradedLabel = -1, ""
		r.SetGrade(grades[id])
	}
	return cs.Save()
}
