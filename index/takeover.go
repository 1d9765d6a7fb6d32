package index

import "github.com/memory-tiered/memory"

// takeOver lets elder memories stand where younger ones of the same text stood.
// It comes first, so that the rest of the batch finds it done.
func (cs *changeSet) takeOver() error {
	placed := map[memory.ID]bool{}
	for _, p := range cs.batch.Placements {
		placed[p.ID] = true
	}
	for _, t := range cs.batch.TakeOvers {
		both, err := cs.tx.readRows([]memory.ID{t.Elder, t.Younger})
		if err != nil {
			return err
		}
		if both[t.Younger] == nil || both[t.Elder] == nil {
			continue // done before
		}
		if !placed[t.Elder] {
			if err := cs.tx.replacePlace(both[t.Elder], both[t.Younger]); err != nil {
				return err
			}
		}
		if err := cs.tx.deleteMemory(t.Younger, t.Elder); err != nil {
			return err
		}
		cs.touched[t.Elder] = true
	}
	return nil
}

// replacePlace gives an elder memory the younger one's place and chunks.
func (tx *Tx) replacePlace(elder, younger *memoryRow) error {
	if err := tx.deleteChunks(elder.ID); err != nil {
		return err
	}
	for _, move := range []string{"UPDATE OR REPLACE places SET memory_id = ? WHERE memory_id = ?",
		"UPDATE chunks SET memory_id = ? WHERE memory_id = ?"} {
		if err := tx.sql.Exec(move, elder.ID, younger.ID); err != nil {
			return err
		}
	}
	is := *elder
	is.Text, is.Fingerprint, is.ChunksHash = younger.Text, younger.Fingerprint, younger.ChunksHash
	is.Lang, is.EntityRefs, is.DateNamed = younger.Lang, younger.EntityRefs, younger.DateNamed
	is.DetectedType, is.DetectedCategory = younger.DetectedType, younger.DetectedCategory
	is.clearMissing()
	return tx.saveRow(elder, &is)
}

// deleteMemory takes a memory out of every table. Entries about it are about heir, if
// there is one.
func (tx *Tx) deleteMemory(id, heir memory.ID) error {
	if err := tx.deleteChunks(id); err != nil {
		return err
	}
	if err := tx.sql.Exec("UPDATE entries SET about = ? WHERE about = ?", heir, id); err != nil {
		return err
	}
	for _, table := range []string{"DELETE FROM places WHERE memory_id = ?", "DELETE FROM uses WHERE memory_id = ?",
		"DELETE FROM fingerprints WHERE memory_id = ?", "DELETE FROM memories WHERE id = ?"} {
		if err := tx.sql.Exec(table, id); err != nil {
			return err
		}
	}
	return tx.noteChanged(id)
}
