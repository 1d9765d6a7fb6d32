package index

import (
	"fmt"

	"github.com/memory-tiered/memory"
)

// writeFiles writes the batch's files, and notes whose entries come and go.
func (cs *change) writeFiles() error {
	for _, path := range cs.batch.Removed {
		if err := cs.deleteEntries(path); err != nil {
			return err
		}
		if err := cs.tx.changes.DeleteFile(path); err != nil {
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
		ids, err := cs.tx.changes.IDs("SELECT memory_id FROM places WHERE path = ?", f.Path)
		if err != nil {
			return err
		}
		for _, id := range ids {
			cs.rematched[id] = true
		}
	}
	for _, p := range cs.batch.Parts {
		cs.touched[p.Memory], cs.touched[p.Of] = true, true
	}
	for _, f := range cs.batch.Touched {
		if err := cs.tx.changes.TouchFile(f); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes the row of a file and its entries.
func (cs *change) writeFile(f memory.FileState) error {
	if err := cs.deleteEntries(f.Path); err != nil {
		return err
	}
	if err := cs.tx.changes.WriteFile(f); err != nil {
		return err
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
func (cs *change) deleteEntries(path string) error {
	deleted, inDoubt, err := cs.tx.changes.DeleteEntries(path)
	if err != nil {
		return err
	}
	for _, id := range inDoubt {
		cs.touched[id] = true
	}
	for _, e := range deleted {
		cs.touched[e.About] = true
		cs.removedEntries[e.About] = append(cs.removedEntries[e.About], e)
	}
	return nil
}
