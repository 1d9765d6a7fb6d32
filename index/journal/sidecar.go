package journal

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
)

// Supersede declares in the sidecar that by has replaced a memory, which is no longer
// true. An empty by revokes that.
func (tx *Writer) Supersede(id, by memory.ID) error {
	cs, err := tx.changes.SelectIDs([]memory.ID{id})
	if err != nil {
		return err
	}
	r := cs.Rows[id]
	if r == nil {
		return memory.NotFound(string(id))
	}
	d, err := rows.ParseDeclared(r.Sidecar)
	if err != nil {
		return err
	}
	d.SupersededBy = by.Linked()
	if r.Sidecar, err = rows.EncodeJSON(d); err != nil {
		return err
	}
	return cs.Save()
}

// DropWritten removes pending decisions that are in their files now.
func (tx *Writer) DropWritten(items []IntentItem) error {
	sidecars := map[memory.ID]memory.Declared{}
	for _, item := range items {
		sidecars[item.ID] = sidecarAfter(item, false)
	}
	return tx.saveSidecars(sidecars, true)
}
