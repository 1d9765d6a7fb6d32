package ageing

import (
	"context"
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

// selectMovableAmong is selectMovable for some memories, which SQLite looks up by id.
const selectMovableAmong = selectMovable + " AND id IN (SELECT value FROM json_each(?6))"

// Movable returns the histories of the memories that the policy may move at a time,
// by id. decay.Next decides which of them it does move.
func (db *Sweeps) Movable(ctx context.Context, t decay.Thresholds, at time.Time) ([]decay.History, error) {
	return db.readMovable(ctx, selectMovable, t, at)
}

// MovableAmong is Movable for some memories.
func (db *Sweeps) MovableAmong(ctx context.Context, ids []memory.ID, t decay.Thresholds, at time.Time) ([]decay.History, error) {
	return db.readMovable(ctx, selectMovableAmong, t, at, sqlite.JSONList(ids))
}

func (db *Sweeps) readMovable(ctx context.Context, query string, t decay.Thresholds, at time.Time, more ...any) (found []decay.History, err error) {
	args := append([]any{sqlite.ToMillis(at), t.ColdUses, t.ColdDays, sqlite.ToMillis(at.Add(-t.HotAge)), sqlite.ToMillis(at.Add(-t.WarmUnused))}, more...)
	err = db.sql.Read().Each(ctx, query+" ORDER BY id", args, func(scan func(...any) error) error {
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

// Move moves a memory to another tier if the policy moves it now. zone is that of
// the date in the reason that a person reads.
func Move(r *rows.Memory, t decay.Thresholds, now time.Time, zone *time.Location) (move memory.TierMove, moved bool) {
	if r.MissingSince != 0 {
		return move, false
	}
	m, due := decay.Next(historyOf(r), t, now)
	if !due {
		return move, false
	}
	r.ObservedTier, r.ObservedTierAt = m.To, sqlite.ToMillis(now)
	r.ObservedReason = decay.Explain(m.TierMove, now.In(zone))
	if m.ByInjection {
		r.ReturnedAt = r.ObservedTierAt
	}
	return m.TierMove, true
}

// SelectFuture selects the memories with a time of a use or a move that is later than a
// time.
const SelectFuture = `SELECT id FROM memories WHERE max(coalesce(observed_tier_at, 0), coalesce(tier_since, 0),
	coalesce(injected_at, 0), coalesce(requested_at, 0), coalesce(returned_at, 0), coalesce(last_accessed_at, 0)) > ? LIMIT ?`

// CorrectFuture sets the times of uses and moves that are later than now to now.
func CorrectFuture(r *rows.Memory, now time.Time) {
	for _, at := range []*sqlite.Millis{&r.ObservedTierAt, &r.TierSince, &r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.LastAccessed} {
		*at = min(*at, sqlite.ToMillis(now))
	}
	r.TierUsedOn = min(r.TierUsedOn, now.Format(time.DateOnly))
}
