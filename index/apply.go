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
	w := &work{tx: tx, batch: b, now: toMillis(tx.Now),
		placed: map[memory.ID]memory.Placement{}, touched: map[memory.ID]bool{},
		lost: map[memory.ID][]entry{}, gained: map[memory.ID]bool{}, elsewhere: map[string]bool{}}
	for _, step := range []func() error{w.takeOver, w.files, w.read, w.arrive, w.depart, w.cover, w.resolve, w.audit, w.write} {
		if err := step(); err != nil {
			return fmt.Errorf("apply batch: %w", err)
		}
	}
	return nil
}

// work is a transaction's memories while they change: as they were, and as they
// are going to be.
type work struct {
	tx    *Tx
	batch memory.Batch
	now   millis

	placed  map[memory.ID]memory.Placement
	touched map[memory.ID]bool    // whatever may come out differently
	lost    map[memory.ID][]entry // entries that the batch's files no longer hold
	gained  map[memory.ID]bool    // those that they hold now

	elsewhere map[string]bool // files whose lines that forget were read on another of git's branches

	wasPlaces, places map[memory.ID]place
	wasRows, rows     map[memory.ID]*row
}

// read fetches the memories concerned: those placed now, those that stand in
// the batch's files so far, those missing, those that entries speak of.
func (w *work) read() (err error) {
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
	return w.load(w.paths())
}

// load reads the rows and places of everything touched, and of all that stands
// in some files.
func (w *work) load(paths []string) (err error) {
	w.wasPlaces, err = w.tx.placesWhere(`memory_id IN (SELECT value FROM json_each(?1))
		OR path IN (SELECT value FROM json_each(?2))`, list(sorted(w.touched)), list(paths))
	if err != nil {
		return err
	}
	w.places = make(map[memory.ID]place, len(w.wasPlaces))
	for id, p := range w.wasPlaces {
		w.places[id] = p
		w.touched[id] = true
	}
	if w.wasRows, err = w.tx.rows(sorted(w.touched)); err != nil {
		return err
	}
	w.rows = make(map[memory.ID]*row, len(w.wasRows))
	for id, r := range w.wasRows {
		now := *r
		w.rows[id] = &now
	}
	return nil
}

// paths are the files whose blocks the batch tells of in full.
func (w *work) paths() []string {
	paths := slices.Clone(w.batch.Removed)
	for _, f := range w.batch.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (w *work) removed(path string) bool { return slices.Contains(w.batch.Removed, path) }

// arrive gives every placed memory its place and what its block says.
func (w *work) arrive() error {
	times := map[string]time.Time{}
	for _, f := range w.batch.Files {
		times[f.Path] = f.ModTime
	}
	for _, p := range w.batch.Placements {
		at, err := placeOf(p)
		if err != nil {
			return fmt.Errorf("annotations of %s:%d: %w", p.Path, p.Block.LineStart, err)
		}
		r := w.rows[p.ID]
		if r == nil {
			r = newRow(p.ID, w.now)
			r.FileTime = toMillis(times[p.Path])
			w.rows[p.ID] = r
		}
		r.say(p, w.now)
		w.places[p.ID] = at
	}
	return nil
}

// say takes over what a block says. Other text is an edit, unless it is only
// the white space that differs.
func (r *row) say(p memory.Placement, now millis) {
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
	r.present()
}

// present forgets where a memory stood when it was missing.
func (r *row) present() {
	r.MissingSince, r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = 0, "", 0, 0, 0
	r.LastHeading, r.LastBlockID = "[]", ""
}

// depart takes their places from the memories whose text is gone: those said
// to be missing, and those that stood in one of the batch's files and were not
// placed. They remember where they stood.
func (w *work) depart() error {
	whole := map[string]bool{}
	for _, path := range w.paths() {
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
func (w *work) write() error {
	if err := w.tx.writePlaces(w.wasPlaces, w.places); err != nil {
		return fmt.Errorf("write places: %w", err)
	}
	if err := w.writeChunks(); err != nil {
		return fmt.Errorf("write chunks: %w", err)
	}
	var changed []memory.ID
	for _, id := range sorted(w.rows) {
		was, is := w.wasRows[id], w.rows[id]
		if was != nil && *was == *is && w.wasPlaces[id] == w.places[id] && !w.rechunked(id) {
			continue
		}
		changed = append(changed, id)
		if err := w.tx.save(was, is); err != nil {
			return fmt.Errorf("write memory %s: %w", id, err)
		}
		if was == nil || was.Fingerprint != is.Fingerprint {
			if err := w.tx.sql.Exec("INSERT OR IGNORE INTO fingerprints(memory_id, fingerprint) VALUES (?, ?)",
				id, is.Fingerprint); err != nil {
				return fmt.Errorf("write fingerprint: %w", err)
			}
		}
	}
	return w.tx.changed(changed...)
}

func (w *work) rechunked(id memory.ID) bool {
	_, placed := w.placed[id]
	return placed && w.batch.Force
}
