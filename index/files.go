package index

import (
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
)

// writeFiles writes the batch's files, and notes whose entries come and go.
func (cs *changeSet) writeFiles() error {
	for _, path := range cs.batch.Removed {
		if err := cs.deleteEntries(path); err != nil {
			return err
		}
		if err := cs.tx.declared.DeleteFile(path); err != nil {
			return err
		}
	}
	for _, f := range cs.batch.Files {
		if err := cs.writeFile(f); err != nil {
			return fmt.Errorf("write file %s: %w", f.Path, err)
		}
	}
	for _, f := range cs.batch.Rematched {
		if err := cs.writeFile(f); err != nil {
			return fmt.Errorf("write file %s: %w", f.Path, err)
		}
		if err := cs.selectInto(cs.rematched, "SELECT memory_id FROM places WHERE path = ?", f.Path); err != nil {
			return err
		}
	}
	for _, d := range cs.batch.Doubts {
		if err := cs.tx.declared.AddDoubt(d); err != nil {
			return err
		}
		cs.touched[d.Memory] = true
	}
	for _, p := range cs.batch.Parts {
		cs.touched[p.Memory], cs.touched[p.Of] = true, true
	}
	for _, f := range cs.batch.Touched {
		if err := cs.tx.declared.TouchFile(f); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes the row of a file and its entries.
func (cs *changeSet) writeFile(f memory.FileState) error {
	if err := cs.deleteEntries(f.Path); err != nil {
		return err
	}
	if err := cs.tx.declared.WriteFile(f); err != nil {
		return err
	}
	if slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return declared.IsForgetting(e.Declared) }) {
		if err := cs.tx.SetMeta(branchKey(f.Path), cs.batch.Branch); err != nil {
			return err
		}
	}
	for _, e := range f.Entries {
		if e.MatchedID != "" {
			cs.touched[e.MatchedID], cs.addedEntries[e.MatchedID] = true, true
		}
		for _, id := range e.Doubtful {
			cs.touched[id] = true
		}
	}
	return nil
}

// deleteEntries deletes the entries of a file and notes them with their memories.
func (cs *changeSet) deleteEntries(path string) error {
	deleted, inDoubt, err := cs.tx.declared.DeleteEntries(path)
	if err != nil {
		return err
	}
	for _, id := range inDoubt {
		cs.touched[id] = true
	}
	forgets := false
	for _, e := range deleted {
		cs.touched[e.About] = true
		cs.removedEntries[e.About] = append(cs.removedEntries[e.About], e)
		forgets = forgets || declared.IsForgetting(e.Declared)
	}
	if forgets {
		return cs.compareBranch(path)
	}
	return nil
}
