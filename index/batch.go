package index

import (
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// change is the change that a batch makes. Its set has a portion of the batch.
type change struct {
	*rows.Set
	tx    *Tx
	batch memory.Batch

	touched        map[memory.ID]bool         // memories whose state may change
	rematched      map[memory.ID]bool         // memories of files with the same bytes and other entries or defaults
	gone           map[memory.ID]bool         // memories whose text is gone
	removedEntries map[memory.ID][]rows.Entry // entries that the batch's files no longer contain
	addedEntries   map[memory.ID]bool         // memories with entries in the batch's files

	auditBatch string // names the edits of this batch in the audit; empty: no row yet
}

// Apply is [DB.Apply] as part of a larger transaction. An edit of a file is a decision like a
// command, and has the same effects.
func (tx *Tx) Apply(b memory.Batch) error {
	tx.applied = true
	cs := &change{Set: tx.changes.New(), tx: tx, batch: b, touched: map[memory.ID]bool{}, rematched: map[memory.ID]bool{},
		removedEntries: map[memory.ID][]rows.Entry{}, addedEntries: map[memory.ID]bool{}}
	cs.Files = rows.Files{Created: map[string]time.Time{}, Parts: b.Parts, Force: b.Force, RemovedEntries: cs.keptEntries}
	for _, files := range cs.batchFiles() {
		for _, f := range files {
			cs.Files.Created[f.Path] = f.Declared.Created
		}
	}
	for _, step := range []func() error{cs.checkPlacements, cs.compareBranch, cs.takeOver, cs.writeFiles, cs.findGone, cs.shift, cs.applyPortions, cs.completeFiles} {
		if err := step(); err != nil {
			return fmt.Errorf("apply batch: %w", err)
		}
	}
	return nil
}

// takeOver merges younger memories into older ones with the same text. It runs
// first, so that the other steps find only the older ones.
func (cs *change) takeOver() error {
	placed := map[memory.ID]bool{}
	for _, p := range cs.batch.Placements {
		placed[p.ID] = true
	}
	for _, t := range cs.batch.TakeOvers {
		found, err := cs.tx.changes.ReadMemories([]memory.ID{t.Elder, t.Younger})
		if err != nil {
			return err
		}
		if found[t.Younger] == nil || found[t.Elder] == nil {
			continue // an earlier Apply has done it
		}
		elder, err := cs.tx.changes.InheritUses(found[t.Elder], found[t.Younger])
		if err != nil {
			return err
		}
		if !placed[t.Elder] {
			if err := cs.replacePlace(elder, found[t.Younger]); err != nil {
				return err
			}
		}
		if err := cs.tx.changes.Delete(t.Younger, t.Elder); err != nil {
			return err
		}
		cs.touched[t.Elder] = true
	}
	return nil
}

// replacePlace gives an older memory the place and the chunks of a younger one.
func (cs *change) replacePlace(elder, younger *rows.Memory) error {
	if err := cs.tx.changes.NoteLeftPlace(elder, cs.Now); err != nil {
		return err
	}
	if err := cs.tx.changes.DeleteChunks(elder.ID); err != nil {
		return err
	}
	for _, move := range []string{"DELETE FROM places WHERE memory_id = ? AND EXISTS (SELECT 1 FROM places WHERE memory_id = ?)",
		"UPDATE places SET memory_id = ? WHERE memory_id = ?",
		"UPDATE chunks SET memory_id = ? WHERE memory_id = ?"} {
		if err := cs.tx.sql.Exec(move, elder.ID, younger.ID); err != nil {
			return err
		}
	}
	after := *elder
	if after.Fingerprint != younger.Fingerprint {
		after.EditedAt = cs.Now
	}
	after.Text, after.Fingerprint, after.ChunksHash, after.Wording = younger.Text, younger.Fingerprint, younger.ChunksHash, younger.Wording
	after.Lang, after.EntityRefs, after.DateNamed = younger.Lang, younger.EntityRefs, younger.DateNamed
	after.DetectedType, after.DetectedCategory = younger.DetectedType, younger.DetectedCategory
	after.ClearMissing()
	return cs.tx.changes.SaveMemory(elder, &after)
}

// checkPlacements checks that each memory has one place.
func (cs *change) checkPlacements() error {
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
func (cs *change) batchPaths() []string {
	paths := slices.Clone(cs.batch.Removed)
	for _, f := range cs.batch.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// batchFiles returns the files of the batch's placements.
func (cs *change) batchFiles() [][]memory.FileState {
	return [][]memory.FileState{cs.batch.Files, cs.batch.Continued}
}

func (cs *change) isRemoved(path string) bool { return slices.Contains(cs.batch.Removed, path) }

// applyPlacements gives every placed memory its place and the content of its block.
func (cs *change) applyPlacements() error {
	times := map[string]time.Time{}
	for _, files := range cs.batchFiles() {
		for _, f := range files {
			times[f.Path] = f.ModTime
		}
	}
	for _, p := range cs.Files.Placements {
		at, err := rows.NewPlace(p)
		if err != nil {
			return fmt.Errorf("annotations of %s:%d: %w", p.Path, p.Block.LineStart, err)
		}
		r := cs.Rows[p.ID]
		if r == nil {
			r = rows.NewMemory(p.ID, cs.Now)
			r.FileTime = sqldb.ToMillis(times[p.Path])
			cs.Rows[p.ID] = r
		}
		r.SetBlock(p, cs.Now)
		cs.Places[p.ID] = at
	}
	return nil
}

// markMissing removes the places of memories whose text is gone, and keeps them
// as last places.
func (cs *change) markMissing() error {
	for id, r := range cs.Rows {
		if !cs.gone[id] {
			continue
		}
		at, hasPlace := cs.Places[id]
		delete(cs.Places, id)
		if hasPlace {
			r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = sqldb.NullText(at.Path), at.Ordinal, at.LineStart, at.LineEnd
			r.LastHeading, r.LastBlockID = at.Heading, at.BlockID
		}
		if r.MissingSince == 0 {
			r.MissingSince = cs.Now
		}
	}
	return nil
}

// shift moves the blocks that the batch has no placements of.
func (cs *change) shift() error { return cs.tx.changes.Shift(cs.batch.Shifts) }

// completeFiles notes which files need not be read again.
func (cs *change) completeFiles() error {
	for _, f := range cs.batch.Completed {
		if err := cs.tx.changes.CompleteFile(f); err != nil {
			return err
		}
	}
	return nil
}
