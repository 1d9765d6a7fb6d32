package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// Apply writes everything that one look at changed files has found, in one
// transaction. Applied twice it is the same as once.
func (db *DB) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	return db.Update(ctx, now, func(tx *Tx) error { return tx.Apply(b) })
}

// Apply is [DB.Apply] as a part of a larger transaction. Everything concerned is
// read first, changed in memory and resolved, and what differs is written.
func (tx *Tx) Apply(b memory.Batch) error {
	w := &changeSet{tx: tx, batch: b, now: toMillis(tx.Now),
		placed: map[memory.ID]memory.Placement{}, touched: map[memory.ID]bool{},
		removedEntries: map[memory.ID][]entry{}, addedEntries: map[memory.ID]bool{}, otherBranch: map[string]bool{}}
	for _, step := range []func() error{w.takeOver, w.writeFiles, w.loadBatch, w.applyPlacements, w.markMissing, w.updateMarks, w.resolve, w.auditEdits, w.write} {
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
	now   millis

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
func (w *changeSet) loadBatch() (err error) {
	for _, p := range w.batch.Placements {
		if twice, ok := w.placed[p.ID]; ok {
			return fmt.Errorf("memory %s has two places: %s:%d and %s:%d", p.ID,
				twice.Path, twice.Block.LineStart, p.Path, p.Block.LineStart)
		}
		w.placed[p.ID] = p
		w.touched[p.ID] = true
	}
	for _, id := range w.batch.Missing {
		w.touched[id] = true
	}
	return w.loadRows(w.batchPaths())
}

// loadRows reads the rows and places of everything touched, and of all that stands
// in some files.
func (w *changeSet) loadRows(paths []string) (err error) {
	w.oldPlaces, err = w.tx.readPlaces(`memory_id IN (SELECT value FROM json_each(?1))
		OR path IN (SELECT value FROM json_each(?2))`, list(sortedKeys(w.touched)), list(paths))
	if err != nil {
		return err
	}
	w.places = make(map[memory.ID]place, len(w.oldPlaces))
	for id, p := range w.oldPlaces {
		w.places[id] = p
		w.touched[id] = true
	}
	if w.oldRows, err = w.tx.readRows(sortedKeys(w.touched)); err != nil {
		return err
	}
	w.rows = make(map[memory.ID]*memoryRow, len(w.oldRows))
	for id, r := range w.oldRows {
		now := *r
		w.rows[id] = &now
	}
	return nil
}

// batchPaths are the files whose blocks the batch tells of in full.
func (w *changeSet) batchPaths() []string {
	paths := slices.Clone(w.batch.Removed)
	for _, f := range w.batch.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (w *changeSet) isRemoved(path string) bool { return slices.Contains(w.batch.Removed, path) }

// applyPlacements gives every placed memory its place and what its block says.
func (w *changeSet) applyPlacements() error {
	times := map[string]time.Time{}
	for _, f := range w.batch.Files {
		times[f.Path] = f.ModTime
	}
	for _, p := range w.batch.Placements {
		at, err := newPlace(p)
		if err != nil {
			return fmt.Errorf("annotations of %s:%d: %w", p.Path, p.Block.LineStart, err)
		}
		r := w.rows[p.ID]
		if r == nil {
			r = newRow(p.ID, w.now)
			r.FileTime = toMillis(times[p.Path])
			w.rows[p.ID] = r
		}
		r.setBlock(p, w.now)
		w.places[p.ID] = at
	}
	return nil
}

// setBlock takes over what a block says. Other text is an edit, unless it is only
// the white space that differs.
func (r *memoryRow) setBlock(p memory.Placement, now millis) {
	if r.Fingerprint != (hash{}) && r.Fingerprint != hash(p.Block.Fingerprint) {
		r.EditedAt = now
	}
	r.Text, r.Fingerprint = p.Block.Text, hash(p.Block.Fingerprint)
	r.Lang, r.EntityRefs = p.Lang, ""
	if len(p.Entities) > 0 {
		r.EntityRefs = text(list(p.Entities))
	}
	r.DetectedType, r.DetectedCategory = p.DetectedType, p.DetectedCategory
	r.DateNamed = toMillis(p.NoteDate)
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
func (w *changeSet) markMissing() error {
	whole := map[string]bool{}
	for _, path := range w.batchPaths() {
		whole[path] = true
	}
	gone := map[memory.ID]bool{}
	for _, id := range w.batch.Missing {
		gone[id] = true
	}
	for id, r := range w.rows {
		at, stands := w.places[id]
		if _, placed := w.placed[id]; placed || !gone[id] && !(stands && whole[at.Path]) {
			continue
		}
		delete(w.places, id)
		if stands {
			r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = text(at.Path), at.Ordinal, at.LineStart, at.LineEnd
			r.LastHeading, r.LastBlockID = at.Heading, at.BlockID
		}
		if r.MissingSince == 0 {
			r.MissingSince = w.now
		}
	}
	return nil
}

// write makes the tables say what was worked out.
func (w *changeSet) write() error {
	if err := w.tx.writePlaces(w.oldPlaces, w.places); err != nil {
		return fmt.Errorf("write places: %w", err)
	}
	if err := w.writeChunks(); err != nil {
		return fmt.Errorf("write chunks: %w", err)
	}
	var changed []memory.ID
	for _, id := range sortedKeys(w.rows) {
		was, is := w.oldRows[id], w.rows[id]
		if was != nil && *was == *is && w.oldPlaces[id] == w.places[id] && !w.rechunked(id) {
			continue
		}
		changed = append(changed, id)
		if err := w.tx.saveRow(was, is); err != nil {
			return fmt.Errorf("write memory %s: %w", id, err)
		}
		if was == nil || was.Fingerprint != is.Fingerprint {
			if err := w.tx.sql.Exec("INSERT OR IGNORE INTO fingerprints(memory_id, fingerprint) VALUES (?, ?)",
				id, is.Fingerprint); err != nil {
				return fmt.Errorf("write fingerprint: %w", err)
			}
		}
	}
	return w.tx.noteChanged(changed...)
}

func (w *changeSet) rechunked(id memory.ID) bool {
	_, placed := w.placed[id]
	return placed && w.batch.Force
}
