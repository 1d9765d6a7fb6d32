package index

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// A declaration that a memory is superseded names the first digits of another id. The
// column superseded_by has the whole id as soon as that memory is known.

// completeLinks replaces the digits in the rows of the change set by whole ids. A link
// to an unknown memory stays as it is declared.
func (cs *changeSet) completeLinks() error {
	var links []memory.ID
	for _, r := range cs.rows {
		if r.SupersededBy != "" {
			links = append(links, memory.ID(r.SupersededBy))
		}
	}
	if len(links) == 0 {
		return nil
	}
	whole, err := cs.tx.declared.WholeIDs(links)
	if err != nil {
		return err
	}
	for id := range cs.rows { // those that this transaction adds
		if link := id.Linked(); whole[link] == "" {
			whole[link] = id
		}
	}
	for _, r := range cs.rows {
		if id := whole[memory.ID(r.SupersededBy)]; id != "" {
			r.SupersededBy = sqlite.NullText(id)
		}
	}
	return nil
}

// writeWithSuperseded writes the differences. What a memory superseded holds again when
// its text leaves the files, and no more when it returns: the audit has a row for each.
func (cs *changeSet) writeWithSuperseded() error {
	var turned []memory.ID
	for id, r := range cs.rows {
		if before := cs.oldRows[id]; before != nil && (before.MissingSince == 0) != (r.MissingSince == 0) {
			turned = append(turned, id)
		}
	}
	if len(turned) == 0 {
		return cs.write()
	}
	before, err := cs.tx.declared.SupersededBy(turned)
	if err != nil {
		return err
	}
	if err := cs.write(); err != nil || len(before) == 0 {
		return err
	}
	after, err := cs.tx.declared.SupersededBy(turned)
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
	return cs.tx.noteChanged(changed...)
}
