package index

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// KeepInSidecar keeps what was decided about a memory here and not in Markdown,
// because its file cannot be written; the zero declaration takes it away. What
// holds for the memory follows at once.
func (tx *Tx) KeepInSidecar(id memory.ID, d memory.Declared) error {
	text, err := toJSON(d)
	if err != nil {
		return fmt.Errorf("keep decision about %s: %w", id, err)
	}
	return tx.changeMemory(id, func(r *memoryRow) { r.Sidecar = text })
}

// ObserveTier notes that a memory moved by use and age. An empty tier takes
// back what was observed. Whether it counts against what is declared is
// memory.Resolve's to say.
func (tx *Tx) ObserveTier(id memory.ID, tier memory.Tier) error {
	return tx.changeMemory(id, func(r *memoryRow) { r.ObservedTier, r.ObservedTierAt = tier, sqlite.ToMillis(tx.Now) })
}

// Supersede says that a memory is no longer true because by is; an empty by
// takes it back.
func (tx *Tx) Supersede(id, by memory.ID) error {
	return tx.changeMemory(id, func(r *memoryRow) { r.SupersededBy = sqlite.NullText(by) })
}

// changeMemory alters one memory and resolves it anew. One that is not there is not
// found.
func (tx *Tx) changeMemory(id memory.ID, alter func(*memoryRow)) error {
	cs, err := tx.selectChangeSet("SELECT id FROM memories WHERE id = ?", id)
	if err != nil {
		return err
	}
	r := cs.rows[id]
	if r == nil {
		return memory.NotFound(string(id))
	}
	alter(r)
	return cs.resolveAndWrite()
}

// Purge drops the memories that have been missing since before a time, for
// good, and says how many they were.
func (tx *Tx) Purge(missingBefore time.Time) (int, error) {
	var gone []memory.ID
	err := tx.sql.Each("SELECT id FROM memories WHERE missing_since < ? ORDER BY id", []any{sqlite.ToMillis(missingBefore)},
		func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			gone = append(gone, id)
			return err
		})
	if err != nil {
		return 0, err
	}
	for _, id := range gone {
		if err := tx.deleteMemory(id, ""); err != nil {
			return 0, fmt.Errorf("purge %s: %w", id, err)
		}
	}
	return len(gone), nil
}
