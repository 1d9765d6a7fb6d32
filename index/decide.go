package index

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// KeepInSidecar stores a decision about a memory in the database, because its file
// cannot be written. The zero declaration removes it. The memory's state follows at
// once.
func (tx *Tx) KeepInSidecar(id memory.ID, d memory.Declared) error {
	text, err := declared.JSON(d)
	if err != nil {
		return fmt.Errorf("keep decision about %s: %w", id, err)
	}
	return tx.changeMemory(id, func(r *rows.Memory) error {
		r.Sidecar = text
		return nil
	})
}

// Supersede declares in the sidecar that by has replaced a memory, which is no longer
// true. An empty by revokes that.
func (tx *Tx) Supersede(id, by memory.ID) error {
	return tx.changeMemory(id, func(r *rows.Memory) error {
		d, err := declared.Parse(r.Sidecar)
		if err == nil {
			d.SupersededBy = by.Linked()
			r.Sidecar, err = declared.JSON(d)
		}
		return err
	})
}

// changeMemory changes one memory and resolves it. An unknown id is
// [memory.ErrNotFound].
func (tx *Tx) changeMemory(id memory.ID, change func(*rows.Memory) error) error {
	cs, err := tx.selectChangeSet("SELECT id FROM memories WHERE id = ?", id)
	if err != nil {
		return err
	}
	r := cs.rows[id]
	if r == nil {
		return memory.NotFound(string(id))
	}
	if err := change(r); err != nil {
		return err
	}
	return cs.resolveAndWrite()
}

// purgeable selects the memories that have been missing since before a time. It
// leaves out forgotten ones if only their rows keep the text forgotten. These are
// those that had other texts before, those that were forgotten without their copies,
// and those whose decision is in no file yet. The marks of forgotten texts cover all
// others. It also leaves out those that superseded another memory: without them, that
// would be superseded by an unknown one.
const purgeable = `SELECT m.id FROM memories m WHERE m.missing_since < ? AND NOT (m.do_not_inject AND (
	(SELECT count(*) FROM fingerprints f WHERE f.memory_id = m.id) > 1 OR coalesce(json_extract(m.sidecar, '$.forgotten'), 0)
	OR coalesce(json_extract(m.sidecar, '$.only'), 0) OR coalesce(json_extract(m.inherited, '$.only'), 0)
	OR EXISTS (SELECT 1 FROM entries e WHERE e.about = m.id AND json_extract(e.declared, '$.only'))))
	AND NOT EXISTS (SELECT 1 FROM memories old WHERE old.superseded_by = m.id)
	ORDER BY m.id`

// Purge deletes the memories that have been missing since before a time, and
// returns their number. A text that was forgotten stays forgotten.
func (tx *Tx) Purge(missingBefore time.Time) (int, error) {
	var ids []memory.ID
	err := tx.sql.Each(purgeable, []any{sqlite.ToMillis(missingBefore)},
		func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := tx.deleteMemory(id, ""); err != nil {
			return 0, fmt.Errorf("purge %s: %w", id, err)
		}
	}
	return len(ids), nil
}

// DropWritten removes pending decisions that are in their files now.
func (tx *Tx) DropWritten(items []IntentItem) error {
	sidecars := map[memory.ID]memory.Declared{}
	for _, item := range items {
		sidecars[item.ID] = sidecarAfter(item, false)
	}
	return tx.saveSidecars(sidecars, true)
}
