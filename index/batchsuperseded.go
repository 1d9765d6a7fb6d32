package index

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
)

// writeWithSuperseded writes the differences. What a memory superseded holds again when
// its text leaves the files, and no more when it returns: the audit has a row for each.
func (cs *change) writeWithSuperseded() error {
	var turned []memory.ID
	for id, r := range cs.Rows {
		if before := cs.OldRows[id]; before != nil && (before.MissingSince == 0) != (r.MissingSince == 0) {
			turned = append(turned, id)
		}
	}
	if len(turned) == 0 {
		return cs.Write()
	}
	before, err := cs.tx.changes.SupersededBy(turned)
	if err != nil {
		return err
	}
	if err := cs.Write(); err != nil || len(before) == 0 {
		return err
	}
	after, err := cs.tx.changes.SupersededBy(turned)
	if err != nil {
		return err
	}
	changed := slices.DeleteFunc(slices.Sorted(maps.Keys(after)), func(id memory.ID) bool { return before[id] == after[id] })
	for _, id := range changed {
		was, is := before[id], after[id]
		row := memory.AuditRow{Action: pick(is == nil, "revive", "supersede"), ID: id, Source: "file", Batch: cs.auditBatch,
			Old: map[string]any{"superseded_by": was}, New: map[string]any{"superseded_by": is}}
		if err := cs.tx.Audit(row); err != nil {
			return err
		}
	}
	return cs.tx.changes.Note(changed...)
}
