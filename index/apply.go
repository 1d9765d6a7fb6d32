package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Apply writes everything that one look at changed files has found, in one
// transaction. Applied twice it is the same as once.
func (db *DB) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	return db.Update(ctx, now, func(tx *Tx) error { return tx.Apply(b) })
}

// Apply is [DB.Apply] as a part of a larger transaction. Everything concerned is
// read first, changed in memory and resolved, and what differs is written.
func (tx *Tx) Apply(b memory.Batch) error {
	cs := &changeSet{tx: tx, batch: b, now: sqlite.ToMillis(tx.Now),
		placed: map[memory.ID]memory.Placement{}, touched: map[memory.ID]bool{},
		removedEntries: map[memory.ID][]entry{}, addedEntries: map[memory.ID]bool{}, otherBranch: map[string]bool{}}
	for _, step := range []func() error{cs.takeOver, cs.writeFiles, cs.loadBatch, cs.applyPlacements, cs.markMissing, cs.updateMarks, cs.resolve, cs.auditEdits, cs.write} {
		if err := step(); err != nil {
			return fmt.Errorf("apply batch: %w", err)
		}
	}
	return nil
}

// changeSet is a transaction's memories while they change: as they were, and as they
// are going to be.
type changeSet struct {
	tx    *Tx
	batch memory.Batch
	now   sqlite.Millis

	placed         map[memory.ID]memory.Placement
	touched        map[memory.ID]bool    // whatever may come out differently
	removedEntries map[memory.ID][]entry // entries that the batch's files no longer hold
	addedEntries   map[memory.ID]bool    // those that they hold now

	otherBranch map[string]bool // files whose lines that forget were read on another of git's branches

	oldPlaces, places map[memory.ID]place
	oldRows, rows     map[memory.ID]*memoryRow
}

// loadBatch fetches the memories concerned: those placed now, those that stand in
// the batch's files so far, those missing, those that entries speak of.
func (cs *changeSet) loadBatch() (err error) {
	for _, p := range cs.batch.Placements {
		if twice, ok := cs.placed[p.ID]; ok {
			return fmt.Errorf("memory %s has two places: %s:%d and %s:%d", p.ID,
				twice.Path, twice.Block.LineStart, p.Path, p.Block.LineStart)
		}
		cs.placed[p.ID] = p
		cs.touched[p.ID] = true
	}
	for _, id := range cs.batch.Missing {
		cs.touched[id] = true
	}
	return cs.loadRows(cs.batchPaths())
}

// loadRows reads the rows and places of everything touched, and of all that stands
// in some files.
func (cs *changeSet) loadRows(paths []string) (err error) {
	cs.oldPlaces, err = cs.tx.readPlaces(`memory_id IN (SELECT value FROM json_each(?1))
		OR path IN (SELECT value FROM json_each(?2))`, sqlite.JSONList(sortedKeys(cs.touched)), sqlite.JSONList(paths))
	if err != nil {
		return err
	}
	cs.places = make(map[memory.ID]place, len(cs.oldPlaces))
	for id, p := range cs.oldPlaces {
		cs.places[id] = p
		cs.touched[id] = true
	}
	if cs.oldRows, err = cs.tx.readRows(sortedKeys(cs.touched)); err != nil {
		return err
	}
	cs.rows = make(map[memory.ID]*memoryRow, len(cs.oldRows))
	for id, r := range cs.oldRows {
		now := *r
		cs.rows[id] = &now
	}
	return nil
}

// batchPaths are the files whose blocks the batch tells of in full.
func (cs *changeSet) batchPaths() []string {
	paths := slices.Clone(cs.batch.Removed)
	for _, f := range cs.batch.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (cs *changeSet) isRemoved(path string) bool { return slices.Contains(cs.batch.Removed, path) }

// applyPlacements gives every placed memory its place and what its block says.
func (cs *changeSet) applyPlacements() error {
	times := map[string]time.Time{}
	for _, f := range cs.batch.Files {
		times[f.Path] = f.ModTime
	}
	for _, p := range cs.batch.Placements {
		at, err := newPlace(p)
		if err != nil {
			return fmt.Errorf("annotations of %s:%d: %w", p.Path, p.Block.LineStart, err)
		}
		r := cs.rows[p.ID]
		if r == nil {
			r = newRow(p.ID, cs.now)
			r.FileTime = sqlite.ToMillis(times[p.Path])
			cs.rows[p.ID] = r
		}
		r.setBlock(p, cs.now)
		cs.places[p.ID] = at
	}
	return nil
}

// setBlock takes over what a block says. Other text is an edit, unless it is only
// the white space that differs.
func (r *memoryRow) setBlock(p memory.Placement, now sqlite.Millis) {
	if r.Fingerprint != (sqlite.Hash{}) && r.Fingerprint != sqlite.Hash(p.Block.Fingerprint) {
		r.EditedAt = now
	}
	r.Text, r.Fingerprint = p.Block.Text, sqlite.Hash(p.Block.Fingerprint)
	r.Lang, r.EntityRefs = p.Lang, ""
	if len(p.Entities) > 0 {
		r.EntityRefs = sqlite.NullText(sqlite.JSONList(p.Entities))
	}
	r.DetectedType, r.DetectedCategory = p.DetectedType, p.DetectedCategory
	r.DateNamed = sqlite.ToMillis(p.NoteDate)
	r.clearMissing()
}

// clearMissing forgets where a memory stood when it was missing.
func (r *memoryRow) clearMissing() {
	r.MissingSince, r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = 0, "", 0, 0, 0
	r.LastHeading, r.LastBlockID = "[]", ""
}

// markMissing takes their places from the memories whose text is gone: those said
// to be missing, and those that stood in one of the batch's files and were not
// placed. They remember where they stood.
func (cs *changeSet) markMissing() error {
	whole := map[string]bool{}
	for _, path := range cs.batchPaths() {
		whole[path] = true
	}
	gone := map[memory.ID]bool{}
	for _, id := range cs.batch.Missing {
		gone[id] = true
	}
	for id, r := range cs.rows {
		at, stands := cs.places[id]
		if _, placed := cs.placed[id]; placed || !gone[id] && !(stands && whole[at.Path]) {
			continue
		}
		delete(cs.places, id)
		if stands {
			r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = sqlite.NullText(at.Path), at.Ordinal, at.LineStart, at.LineEnd
			r.LastHeading, r.LastBlockID = at.Heading, at.BlockID
		}
		if r.MissingSince == 0 {
			r.MissingSince = cs.now
		}
	}
	return nil
}

// write makes the tables say what was worked out.
func (cs *changeSet) write() error {
	if err := cs.tx.writePlaces(cs.oldPlaces, cs.places); err != nil {
		return fmt.Errorf("write places: %w", err)
	}
	if err := cs.writeChunks(); err != nil {
		return fmt.Errorf("write chunks: %w", err)
	}
	var changed []memory.ID
	for _, id := range sortedKeys(cs.rows) {
		was, is := cs.oldRows[id], cs.rows[id]
		if was != nil && *was == *is && cs.oldPlaces[id] == cs.places[id] && !cs.rechunked(id) {
			continue
		}
		changed = append(changed, id)
		if err := cs.tx.saveRow(was, is); err != nil {
			return fmt.Errorf("write memory %s: %w", id, err)
		}
		if was == nil || was.Fingerprint != is.Fingerprint {
			if err := cs.tx.sql.Exec("INSERT OR IGNORE INTO fingerprints(memory_id, fingerprint) VALUES (?, ?)",
				id, is.Fingerprint); err != nil {
				return fmt.Errorf("write fingerprint: %w", err)
			}
		}
	}
	return cs.tx.noteChanged(changed...)
}

func (cs *changeSet) rechunked(id memory.ID) bool {
	_, placed := cs.placed[id]
	return placed && cs.batch.Force
}
