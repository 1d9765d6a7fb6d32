package index

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
)

// Resolve computes the state of every memory of the change set.
func (cs *changeSet) resolve() error {
	paths := map[string]bool{}
	for _, p := range cs.places {
		paths[p.Path] = true
	}
	files, err := cs.tx.declared.FileLayers(slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return err
	}
	entries, err := cs.readEntries()
	if err != nil {
		return err
	}
	marked, err := cs.tx.findMarked(cs.rows, cs.places)
	if err != nil {
		return err
	}
	if err := cs.forgetEditedCopies(entries, marked); err != nil {
		return err
	}
	inDoubt, err := cs.tx.declared.InDoubt(slices.Sorted(maps.Keys(cs.rows)))
	if err != nil {
		return err
	}
	for id, r := range cs.rows {
		if err := cs.inheritDecisions(r, entries[id]); err != nil {
			return err
		}
		if err := r.Resolve(files, entries[id], cs.places[id], cs.now); err != nil {
			return err
		}
		doubt := inDoubt[id]
		if r.MissingSince == 0 {
			r.Protect(doubt)
		}
		if (marked[id] || doubt.Forgotten) && !r.Forgotten {
			sidecar, err := declared.Parse(r.Sidecar)
			if err != nil {
				return err
			}
			r.Forgotten = !declared.IsRestored(append(entries[id], declared.Entry{Declared: sidecar}))
		}
	}
	for _, p := range cs.batch.Parts {
		if part, whole := cs.rows[p.Memory], cs.rows[p.Of]; part != nil && whole != nil && cs.oldRows[p.Memory] == nil {
			if err := part.ProtectAsPart(entries[p.Memory], whole, entries[p.Of], cs.places[p.Memory].Path, cs.now); err != nil {
				return err
			}
		}
	}
	return cs.completeLinks()
}

// forgetEditedCopies forgets the copies of a forgotten text that were edited. Such a
// copy has no entry of its own, so that its new text would be visible. Its decision
// is pending: it is written into the file later, as for the memory that was decided
// about.
func (cs *changeSet) forgetEditedCopies(entries map[memory.ID][]declared.Entry, marked map[memory.ID]bool) error {
	edited := map[memory.ID]*rows.Memory{}
	for id, r := range cs.rows {
		before := cs.oldRows[id]
		if before != nil && before.Forgotten && before.Fingerprint != r.Fingerprint && !marked[id] && len(entries[id]) == 0 {
			edited[id] = before
		}
	}
	if len(edited) == 0 {
		return nil
	}
	copies, err := cs.tx.findMarked(edited, cs.oldPlaces)
	if err != nil {
		return err
	}
	for id := range copies {
		sidecar, err := declared.Parse(cs.rows[id].Sidecar)
		if err != nil {
			return err
		}
		if sidecar.Forgotten != nil {
			continue
		}
		forgotten := true
		sidecar.Forgotten, sidecar.ForgottenAt = &forgotten, cs.now.Time()
		if cs.rows[id].Sidecar, err = declared.JSON(sidecar); err != nil {
			return err
		}
	}
	return nil
}

// inheritDecisions keeps a decision whose file was deleted, or lost the entry
// without containing the memory any more: nobody has revoked the decision. The
// next entry about the memory ends it.
func (cs *changeSet) inheritDecisions(r *rows.Memory, entries []declared.Entry) (err error) {
	if len(entries) > 0 {
		r.Inherited = "{}"
		return nil
	}
	var kept []declared.Entry
	for _, removed := range cs.removedEntries[r.ID] {
		if at, hasPlace := cs.places[r.ID]; hasPlace && cs.removedByEdit(removed.Path, at) {
			// Pins and tiers follow the git branch. A memory that one branch forgets
			// stays forgotten on every branch.
			d := removed.Declared
			if !cs.otherBranch[removed.Path] || !declared.IsForgetting(d) {
				continue
			}
			removed.Declared = memory.Declared{Forgotten: d.Forgotten, ForgottenAt: d.ForgottenAt, Only: d.Only}
		}
		kept = append(kept, removed)
	}
	if len(kept) > 0 {
		r.Inherited, err = declared.JSON(declared.Merge(kept, cs.places[r.ID].Path))
	}
	return err
}

// readEntries reads the entries about the memories of the change set, without
// revoked ones.
func (cs *changeSet) readEntries() (map[memory.ID][]declared.Entry, error) {
	entries, err := cs.tx.declared.Entries(slices.Sorted(maps.Keys(cs.rows)))
	if err != nil {
		return nil, err
	}
	for id := range entries {
		sidecar, err := declared.Parse(cs.rows[id].Sidecar)
		if err != nil {
			return nil, err
		}
		entries[id] = declared.EntriesWithoutRevoked(entries[id], sidecar)
	}
	return entries, nil
}
