package decisions

import (
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
)

// KeepInSidecar stores a decision about a memory in the database, because its file
// cannot be written. The zero declaration removes it. The memory's state follows at
// once.
func (tx *DecisionWriter) KeepInSidecar(id memory.ID, d memory.Declared) error {
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
func (tx *DecisionWriter) Supersede(id, by memory.ID) error {
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
func (tx *DecisionWriter) changeMemory(id memory.ID, change func(*rows.Memory) error) error {
	cs, err := tx.changes.Select("SELECT id FROM memories WHERE id = ?", id)
	if err != nil {
		return err
	}
	r := cs.Rows[id]
	if r == nil {
		return memory.NotFound(string(id))
	}
	if err := change(r); err != nil {
		return err
	}
	return cs.Save()
}

// DropWritten removes pending decisions that are in their files now.
func (tx *DecisionWriter) DropWritten(items []IntentItem) error {
	sidecars := map[memory.ID]memory.Declared{}
	for _, item := range items {
		sidecars[item.ID] = sidecarAfter(item, false)
	}
	return tx.saveSidecars(sidecars, true)
}
