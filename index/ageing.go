package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
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
			<= CASE tier WHEN 'HOT' THEN CAST(?4 AS INTEGER) ELSE CAST(?5 AS INTEGER) END)`

// Movable returns the histories of the memories that the policy may move at a time,
// by id. decay.Next decides which of them it does move.
func (db *DB) Movable(ctx context.Context, t decay.Thresholds, at time.Time) (found []decay.History, err error) {
	args := []any{sqldb.ToMillis(at), t.ColdUses, t.ColdDays, sqldb.ToMillis(at.Add(-t.HotAge)), sqldb.ToMillis(at.Add(-t.WarmUnused))}
	err = db.sql.Read().Each(ctx, selectMovable+" ORDER BY id", args, func(scan func(...any) error) error {
		var r rows.Memory
		err := scan(&r.ID, &r.Tier, &r.CreatedAt, &r.EditedAt, &r.ExpiresAt, &r.HeldUntil, &r.TierSince,
			&r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.TierUses, &r.TierUseDays)
		found = append(found, historyOf(&r))
		return err
	})
	return found, sqldb.Wrap("find memories that age", err)
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
	r.ObservedTier, r.ObservedTierAt = m.To, sqldb.ToMillis(now)
	r.ObservedReason = decay.Explain(m.TierMove, now.In(zone))
	if m.ByInjection {
		r.ReturnedAt = r.ObservedTierAt
	}
	return m.TierMove, true
}

// mergeMoves makes the moves of another machine that the policy makes with the uses here too. It
// takes back a move here if a use elsewhere was before it. So machines with the same uses agree.
// The memories are those with new uses or with moves there.
func (tx *Tx) mergeMoves(moves map[memory.ID][]MachineLine, t decay.Thresholds, zone *time.Location) error {
	cs, err := tx.changes.SelectIDs(slices.Sorted(maps.Keys(moves)))
	if err != nil {
		return err
	}
	var audit []memory.AuditRow
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		r := cs.Rows[id]
		uses, was, err := tx.usesOf(r)
		if err != nil {
			return err
		}
		to := func(tier memory.Tier, at sqldb.Millis, action memory.Action, reason string) {
			audit = append(audit, memory.AuditRow{At: at.Time(), Action: string(action), ID: id, Source: "decay",
				Old: map[string]any{"tier": r.Tier}, New: map[string]any{"tier": tier, "reason": reason}})
			r.ObservedReason = decay.Explain(memory.TierMove{To: tier, Reason: reason}, at.Time().In(zone))
			r.ObservedTier, r.ObservedTierAt, r.Tier, r.TierSince = tier, at, tier, at
			r.TierUses, r.TierUseDays, r.TierUsedOn = 0, 0, ""
		}
		if m, due := decay.Next(historyAt(r, uses, was, r.ObservedTierAt), t, r.ObservedTierAt.Time()); was != "" && (!due || m.To != r.Tier) {
			to(was, r.ObservedTierAt, memory.ActionPromote, "it was used on another machine")
		}
		for _, l := range moves[id] {
			at, tier := sqldb.Millis(l.At), memory.Tier(l.Tier)
			m, due := decay.Next(historyAt(r, uses, memory.Tier(l.Was), at), t, at.Time())
			if !due || m.To != tier || at <= r.ObservedTierAt || tier == memory.TierArchive || tier == memory.TierWarm && r.Tier != memory.TierCold {
				continue
			}
			to(tier, at, map[bool]memory.Action{true: memory.ActionDemote, false: memory.ActionPromote}[tier == memory.TierCold], m.Reason)
			if m.ByInjection {
				r.ReturnedAt = at
			}
		}
		h := historyAt(r, uses, r.Tier, sqldb.ToMillis(tx.Now))
		r.TierUses, r.TierUseDays = max(r.TierUses, h.Uses), max(r.TierUseDays, h.UseDays)
	}
	if err := cs.Save(); err != nil {
		return err
	}
	return tx.Audit(audit...)
}

// usesOf returns the earned uses of a memory in the last days. was is the tier from which the policy
// made it COLD; empty: it did not.
func (tx *Tx) usesOf(r *rows.Memory) (uses []Use, was memory.Tier, err error) {
	err = tx.sql.Each("SELECT min(at), day, max(kind) FROM uses WHERE memory_id = ? AND kind > 0 GROUP BY session, day ORDER BY day", []any{r.ID}, func(scan func(...any) error) error {
		var at sqldb.Millis
		u := Use{ID: r.ID}
		err := scan(&at, &u.Day, &u.Kind)
		u.At = at.Time()
		uses = append(uses, u)
		return err
	})
	if err == nil && r.Tier == memory.TierCold && r.ObservedTier == memory.TierCold {
		err = tx.sql.Each("SELECT json_extract(old, '$.tier') FROM memory_audit WHERE memory_id = ? AND source = 'decay' AND json_extract(new, '$.tier') = 'COLD' AND at = ?",
			[]any{r.ID, r.ObservedTierAt}, func(scan func(...any) error) error { return scan(&was) })
	}
	return uses, was, err
}

// historyAt returns what the policy reads of a memory at a time, when it had a tier.
func historyAt(r *rows.Memory, uses []Use, tier memory.Tier, at sqldb.Millis) decay.History {
	h, days := historyOf(r), map[string]bool{}
	h.Tier, h.Uses = tier, 0
	for _, known := range []*time.Time{&h.Injected, &h.Requested, &h.Edited} {
		if known.After(at.Time()) {
			*known = time.Time{}
		}
	}
	for _, u := range uses {
		if u.At.After(at.Time()) {
			continue
		}
		last := &h.Injected
		if u.Kind == rows.Requested {
			last = &h.Requested
		}
		if u.At.After(*last) {
			*last = u.At
		}
		if !u.At.Before(h.TierSince) {
			h.Uses, days[u.Day] = h.Uses+1, true
		}
	}
	h.UseDays = len(days)
	return h
}

// selectFuture selects the memories with a time of a use or a move that is later than a
// time.
const selectFuture = `SELECT id FROM memories WHERE max(coalesce(observed_tier_at, 0), coalesce(tier_since, 0),
	coalesce(injected_at, 0), coalesce(requested_at, 0), coalesce(returned_at, 0), coalesce(last_accessed_at, 0)) > ? LIMIT ?`

// CorrectFuture sets the times of uses and moves that are later than now to now, of
// at most limit memories, and returns their number. A clock that was ahead wrote
// these times, and they would outlast every later decision.
func (tx *Tx) CorrectFuture(limit int) (int, error) {
	cs, err := tx.changes.Select(selectFuture, sqldb.ToMillis(tx.Now), limit)
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
	for _, at := range []*sqldb.Millis{&r.ObservedTierAt, &r.TierSince, &r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.LastAccessed} {
		*at = min(*at, sqldb.ToMillis(now))
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
