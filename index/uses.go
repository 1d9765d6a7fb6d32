package index

import (
	"context"
	"slices"
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

// AddUses counts uses, once per memory, session and day. A use of a
// memory that another one took over counts for that one. Uses of other deleted
// memories are ignored.
func (db *DB) AddUses(ctx context.Context, now time.Time, uses []Use) error {
	if len(uses) == 0 {
		return nil
	}
	return db.Update(ctx, now, func(tx *Tx) error { return tx.AddUses(uses) })
}

// AddUses is [DB.AddUses] as part of a larger transaction.
func (tx *Tx) AddUses(uses []Use) error {
	uses, err := tx.usesOfHeirs(uses)
	if err != nil {
		return err
	}
	used, err := tx.changes.AddUses(uses)
	if err != nil {
		return err
	}
	return tx.changes.Note(used...)
}

// maxHeirs bounds how often a memory is followed to the one that took it over. Each
// takeover needs two saves of a file, and uses wait a second.
const maxHeirs = 8

// usesOfHeirs replaces each memory that was taken over by the one that took it over.
func (tx *Tx) usesOfHeirs(uses []Use) ([]Use, error) {
	uses = slices.Clone(uses)
	for i := range uses {
		for range maxHeirs {
			heir, gone := tx.db.heirs.Load(uses[i].ID)
			if !gone {
				break
			}
			exists, err := tx.changes.ReadMemories([]memory.ID{uses[i].ID})
			if err != nil {
				return nil, err
			}
			if exists[uses[i].ID] != nil {
				break // another text got the id since
			}
			uses[i].ID, _ = heir.(memory.ID)
		}
	}
	return uses, nil
}
