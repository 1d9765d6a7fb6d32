package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
)

// showOwnUses gives memories the uses of one user in place of all. users is as
// [memory.Identities.Readable] returns it; nil changes nothing.
func (db *DB) showOwnUses(ctx context.Context, memories []memory.Memory, users []string) error {
	if users == nil || len(memories) == 0 {
		return nil
	}
	ids := make([]memory.ID, len(memories))
	for i := range memories {
		ids[i] = memories[i].ID
	}
	own, err := db.UsesBy(ctx, ids, memory.OwnNames(users))
	for i := range memories {
		m := &memories[i]
		used := own[m.ID]
		m.UseCount, m.UseDays, m.LastAccessedAt = used.Count, used.Days, nil
		if used.Count > 0 {
			m.LastAccessedAt = &used.Last
		}
	}
	return err
}

// AddUses counts uses, once per memory, session and day. Uses of deleted memories are ignored.
func (db *DB) AddUses(ctx context.Context, now time.Time, uses []Use) error {
	if len(uses) == 0 {
		return nil
	}
	return db.Update(ctx, now, func(tx *Tx) error { return tx.AddUses(uses) })
}

// AddUses is [DB.AddUses] as part of a larger transaction.
func (tx *Tx) AddUses(uses []Use) error {
	used, err := tx.changes.AddUses(uses)
	if err != nil {
		return err
	}
	return tx.changes.Note(used...)
}
