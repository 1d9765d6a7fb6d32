package index

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
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
			<= CASE tier WHEN 'HOT' THEN ?4 ELSE ?5 END)
	ORDER BY id`

// Movable returns the histories of the memories that the policy may move at a time,
// by id. decay.Next decides which of them it does move.
func (db *DB) Movable(ctx context.Context, t decay.Thresholds, at time.Time) (found []decay.History, err error) {
	args := []any{sqlite.ToMillis(at), t.ColdUses, t.ColdDays, sqlite.ToMillis(at.Add(-t.HotAge)), sqlite.ToMillis(at.Add(-t.WarmUnused))}
	err = db.sql.Read().Each(ctx, selectMovable, args, func(scan func(...any) error) error {
		var r memoryRow
		err := scan(&r.ID, &r.Tier, &r.CreatedAt, &r.EditedAt, &r.ExpiresAt, &r.HeldUntil, &r.TierSince,
			&r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.TierUses, &r.TierUseDays)
		found = append(found, r.history())
		return err
	})
	return found, sqlite.Wrap("find memories that age", err)
}

// history returns what the ageing policy reads of a memory.
func (r *memoryRow) history() decay.History {
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
	cs, err := tx.selectChangeSet("SELECT value FROM json_each(?)", sqlite.JSONList(ids))
	if err != nil {
		return nil, err
	}
	for _, id := range sortedKeys(cs.rows) {
		r := cs.rows[id]
		if r.MissingSince != 0 {
			continue
		}
		m, due := decay.Next(r.history(), t, tx.Now)
		if !due {
			continue
		}
		r.ObservedTier, r.ObservedTierAt = m.To, cs.now
		r.ObservedReason = decay.Explain(m.TierMove, tx.Now.In(zone))
		if m.ByInjection {
			r.ReturnedAt = cs.now
		}
		moves = append(moves, m.TierMove)
	}
	return moves, cs.resolveAndWrite()
}

// CorrectFuture sets the times of uses and moves that are later than now to now, of
// at most limit memories, and returns their number. A clock that was ahead wrote
// these times, and they would outlast every later decision.
func (tx *Tx) CorrectFuture(limit int) (int, error) {
	cs, err := tx.selectChangeSet(`SELECT id FROM memories WHERE max(coalesce(observed_tier_at, 0), coalesce(tier_since, 0),
		coalesce(injected_at, 0), coalesce(requested_at, 0), coalesce(returned_at, 0), coalesce(last_accessed_at, 0)) > ? LIMIT ?`,
		sqlite.ToMillis(tx.Now), limit)
	if err != nil {
		return 0, err
	}
	for _, r := range cs.rows {
		for _, at := range []*sqlite.Millis{&r.ObservedTierAt, &r.TierSince, &r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.LastAccessed} {
			*at = min(*at, cs.now)
		}
		r.TierUsedOn = min(r.TierUsedOn, tx.Now.Format(time.DateOnly))
	}
	return len(cs.rows), cs.resolveAndWrite()
}

// SweepState is what the index knows of the sweeps of the ageing policy.
type SweepState struct {
	LastRun time.Time // zero: none yet
	Hold    *Hold     // nil: sweeps run
}

// Hold stops sweeps until a person releases them, or the clock goes back.
type Hold struct {
	Reason string    `json:"reason"`
	Before time.Time `json:"before"` // what the clock showed before it jumped
}

// SweepState returns when the last sweep ran, and what holds the next one.
func (db *DB) SweepState(ctx context.Context) (state SweepState, err error) {
	err = db.sql.Read().Each(ctx, "SELECT key, value FROM meta WHERE key IN ('last_decay_run', 'decay_hold') AND value <> ''", nil,
		func(scan func(...any) error) error {
			var key, value string
			if err := scan(&key, &value); err != nil {
				return err
			}
			if key == "decay_hold" {
				state.Hold = &Hold{}
				return json.Unmarshal([]byte(value), state.Hold)
			}
			state.LastRun, err = time.Parse(time.RFC3339Nano, value)
			return err
		})
	return state, sqlite.Wrap("read the last sweep", err)
}

// SetLastSweep notes that a sweep is complete. Its time decides when the next one is
// due.
func (tx *Tx) SetLastSweep() error {
	return tx.SetMeta("last_decay_run", tx.Now.UTC().Format(time.RFC3339Nano))
}

// HoldSweeps holds the sweeps; nil releases them.
func (tx *Tx) HoldSweeps(h *Hold) error {
	if h == nil {
		return tx.SetMeta("decay_hold", "")
	}
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return tx.SetMeta("decay_hold", string(value))
}

// AuditTotal writes the one audit row of a batch, in place of the one that it has.
func (tx *Tx) AuditTotal(row memory.AuditRow) error {
	if err := tx.sql.Exec("DELETE FROM memory_audit WHERE batch = ?", row.Batch); err != nil {
		return err
	}
	return tx.Audit(row)
}
