package rows

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
)

// Resolve computes the state of every memory of the set.
func (cs *Set) Resolve() error {
	paths := map[string]bool{}
	for _, p := range cs.Places {
		paths[p.Path] = true
	}
	files, err := cs.tx.fileLayers(slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return err
	}
	entries, err := cs.Entries()
	if err != nil {
		return err
	}
	marked, err := cs.Marked()
	if err != nil {
		return err
	}
	if err := cs.forgetEditedCopies(entries, marked); err != nil {
		return err
	}
	inDoubt, err := cs.tx.InDoubt(slices.Sorted(maps.Keys(cs.Rows)))
	if err != nil {
		return err
	}
	for id, r := range cs.Rows {
		if err := cs.inheritDecisions(r, entries[id]); err != nil {
			return err
		}
		stated, err := r.Resolve(files, entries[id], cs.Places[id], cs.Now)
		if err != nil {
			return err
		}
		doubt := inDoubt[id]
		if r.MissingSince == 0 {
			r.Protect(doubt)
		}
		if (marked[id] || doubt.Forgotten) && !r.Forgotten {
			sidecar, err := ParseDeclared(r.Sidecar)
			if err != nil {
				return err
			}
			r.Forgotten = !isRestored(append(entries[id], Entry{Declared: sidecar}))
		}
		if err := cs.keepProtection(r, stated); err != nil {
			return err
		}
		if err := cs.tx.followSources(r); err != nil {
			return err
		}
	}
	for _, p := range cs.Files.Parts {
		if part, whole := cs.Rows[p.Memory], cs.Rows[p.Of]; part != nil && whole != nil && cs.OldRows[p.Memory] == nil {
			if err := part.protectAsPart(entries[p.Memory], whole, entries[p.Of], cs.Places[p.Memory].Path, cs.Now); err != nil {
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
func (cs *Set) forgetEditedCopies(entries map[memory.ID][]Entry, marked map[memory.ID]bool) error {
	edited := map[memory.ID]*Memory{}
	for id, r := range cs.Rows {
		before := cs.OldRows[id]
		if before != nil && before.Forgotten && before.Fingerprint != r.Fingerprint && !marked[id] && len(entries[id]) == 0 {
			edited[id] = before
		}
	}
	if len(edited) == 0 {
		return nil
	}
	copies, err := cs.tx.findMarked(edited, cs.OldPlaces)
	if err != nil {
		return err
	}
	for id := range copies {
		sidecar, err := ParseDeclared(cs.Rows[id].Sidecar)
		if err != nil {
			return err
		}
		if sidecar.Forgotten != nil {
			continue
		}
		sidecar.Forgotten, sidecar.ForgottenAt = new(true), cs.Now.Time()
		if cs.Rows[id].Sidecar, err = EncodeJSON(sidecar); err != nil {
			return err
		}
	}
	return nil
}

// inheritDecisions keeps a decision whose file was deleted, or lost the entry
// without containing the memory any more: nobody has revoked the decision. The
// next entry about the memory ends it.
func (cs *Set) inheritDecisions(r *Memory, entries []Entry) (err error) {
	if len(entries) > 0 {
		r.Inherited = "{}"
		return nil
	}
	if cs.Files.RemovedEntries == nil {
		return nil
	}
	if kept := cs.Files.RemovedEntries(r.ID); len(kept) > 0 {
		r.Inherited, err = EncodeJSON(Merge(kept, cs.Places[r.ID].Path))
	}
	return err
}

// Entries returns the entries about the memories of the set, without revoked ones.
func (cs *Set) Entries() (map[memory.ID][]Entry, error) {
	entries, err := cs.tx.Entries(slices.Sorted(maps.Keys(cs.Rows)))
	if err != nil {
		return nil, err
	}
	for id := range entries {
		sidecar, err := ParseDeclared(cs.Rows[id].Sidecar)
		if err != nil {
			return nil, err
		}
		entries[id] = entriesWithoutRevoked(entries[id], sidecar)
	}
	return entries, nil
}
