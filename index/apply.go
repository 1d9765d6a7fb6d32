package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Apply writes everything that one reading of changed files has found, in one
// transaction. Applying a batch twice has the same effect as applying it once.
func (db *DB) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	return db.Update(ctx, now, func(tx *Tx) error { return tx.Apply(b) })
}

// Apply is [DB.Apply] as part of a larger transaction.
func (tx *Tx) Apply(b memory.Batch) error {
	cs := newChangeSet(tx)
	cs.batch, cs.removedEntries = b, map[memory.ID][]declared.Entry{}
	cs.addedEntries, cs.otherBranch = map[memory.ID]bool{}, map[string]bool{}
	for _, step := range []func() error{cs.checkPlacements, cs.takeOver, cs.writeFiles, cs.findGone, cs.applyPortions, cs.completeFiles} {
		if err := step(); err != nil {
			return fmt.Errorf("apply batch: %w", err)
		}
	}
	return nil
}

// takeOver merges younger memories into older ones with the same text. It runs
// first, so that the other steps find only the older ones.
func (cs *changeSet) takeOver() error {
	placed := map[memory.ID]bool{}
	for _, p := range cs.batch.Placements {
		placed[p.ID] = true
	}
	for _, t := range cs.batch.TakeOvers {
		found, err := cs.tx.rows.ReadMemories([]memory.ID{t.Elder, t.Younger})
		if err != nil {
			return err
		}
		if found[t.Younger] == nil || found[t.Elder] == nil {
			continue // an earlier Apply has done it
		}
		elder, err := cs.tx.uses.Inherit(found[t.Elder], found[t.Younger])
		if err != nil {
			return err
		}
		if !placed[t.Elder] {
			if err := cs.tx.replacePlace(elder, found[t.Younger]); err != nil {
				return err
			}
		}
		if err := cs.tx.deleteMemory(t.Younger, t.Elder); err != nil {
			return err
		}
		cs.tx.db.heirs.Store(t.Younger, t.Elder) // for uses that are not written yet
		cs.touched[t.Elder] = true
	}
	return nil
}

// replacePlace gives an older memory the place and the chunks of a younger one.
func (tx *Tx) replacePlace(elder, younger *rows.Memory) error {
	if err := tx.rows.NoteLeftPlace(elder, sqlite.ToMillis(tx.Now)); err != nil {
		return err
	}
	if err := tx.chunks.Delete(elder.ID); err != nil {
		return err
	}
	for _, move := range []string{"UPDATE OR REPLACE places SET memory_id = ? WHERE memory_id = ?",
		"UPDATE chunks SET memory_id = ? WHERE memory_id = ?"} {
		if err := tx.sql.Exec(move, elder.ID, younger.ID); err != nil {
			return err
		}
	}
	after := *elder
	if after.Fingerprint != younger.Fingerprint {
		after.EditedAt = sqlite.ToMillis(tx.Now)
	}
	after.Text, after.Fingerprint, after.ChunksHash = younger.Text, younger.Fingerprint, younger.ChunksHash
	after.Wording, after.Bare = younger.Wording, younger.Bare
	after.Lang, after.EntityRefs, after.DateNamed = younger.Lang, younger.EntityRefs, younger.DateNamed
	after.DetectedType, after.DetectedCategory = younger.DetectedType, younger.DetectedCategory
	after.ClearMissing()
	return tx.rows.SaveMemory(elder, &after)
}

// deleteMemory deletes a memory from every table. Entries about it become entries
// about heir, which may be empty.
func (tx *Tx) deleteMemory(id, heir memory.ID) error {
	if err := tx.chunks.Delete(id); err != nil {
		return err
	}
	if err := tx.sql.Exec("UPDATE entries SET about = ? WHERE about = ?", heir, id); err != nil {
		return err
	}
	for _, table := range []string{"DELETE FROM places WHERE memory_id = ?", "DELETE FROM doubts WHERE memory_id = ?", "DELETE FROM uses WHERE memory_id = ?",
		"DELETE FROM reviewed WHERE ?1 IN (memory_id, other_id)", "DELETE FROM fingerprints WHERE memory_id = ?", "DELETE FROM past_places WHERE memory_id = ?",
		"DELETE FROM memories WHERE id = ?"} {
		if err := tx.sql.Exec(table, id); err != nil {
			return err
		}
	}
	return tx.noteChanged(id)
}

// checkPlacements checks that each memory has one place.
func (cs *changeSet) checkPlacements() error {
	placed := make(map[memory.ID]int, len(cs.batch.Placements))
	for i, p := range cs.batch.Placements {
		if first, twice := placed[p.ID]; twice {
			at := cs.batch.Placements[first]
			return fmt.Errorf("memory %s has two places: %s:%d and %s:%d", p.ID, at.Path, at.Block.LineStart, p.Path, p.Block.LineStart)
		}
		placed[p.ID] = i
	}
	return nil
}

// batchPaths returns the files that the batch describes completely.
func (cs *changeSet) batchPaths() []string {
	paths := slices.Clone(cs.batch.Removed)
	for _, f := range cs.batch.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// batchFiles returns the files of the batch's placements.
func (cs *changeSet) batchFiles() []memory.FileState {
	return slices.Concat(cs.batch.Files, cs.batch.Continued)
}

func (cs *changeSet) isRemoved(path string) bool { return slices.Contains(cs.batch.Removed, path) }

// applyPlacements gives every placed memory its place and the content of its block.
func (cs *changeSet) applyPlacements() error {
	times := map[string]time.Time{}
	for _, f := range cs.batchFiles() {
		times[f.Path] = f.ModTime
	}
	for _, p := range cs.placements {
		at, err := rows.NewPlace(p)
		if err != nil {
			return fmt.Errorf("annotations of %s:%d: %w", p.Path, p.Block.LineStart, err)
		}
		r := cs.rows[p.ID]
		if r == nil {
			r = rows.NewMemory(p.ID, cs.now)
			r.FileTime = sqlite.ToMillis(times[p.Path])
			cs.rows[p.ID] = r
		}
		r.SetBlock(p, cs.now)
		cs.places[p.ID] = at
	}
	return nil
}

// markMissing removes the places of memories whose text is gone, and keeps them
// as last places.
func (cs *changeSet) markMissing() error {
	for id, r := range cs.rows {
		if !cs.gone[id] {
			continue
		}
		at, hasPlace := cs.places[id]
		delete(cs.places, id)
		if hasPlace {
			r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = sqlite.NullText(at.Path), at.Ordinal, at.LineStart, at.LineEnd
			r.LastHeading, r.LastBlockID = at.Heading, at.BlockID
		}
		if r.MissingSince == 0 {
			r.MissingSince = cs.now
		}
	}
	return nil
}

// completeFiles notes which files need not be read again.
func (cs *changeSet) completeFiles() error {
	for _, f := range cs.batch.Completed {
		if err := cs.tx.declared.CompleteFile(f); err != nil {
			return err
		}
	}
	return nil
}
