package index

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/chunks"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// changeSet holds the memories that a transaction changes: as the tables have
// them, and as they will be. Everything concerned is loaded first, changed in
// memory and resolved. Then only the differences are written.
type changeSet struct {
	tx    *Tx
	batch memory.Batch // empty for a decision
	now   sqlite.Millis

	rematched      map[memory.ID]bool             // memories of files with the same bytes and other entries or defaults
	gone           map[memory.ID]bool             // memories whose text is gone
	removedEntries map[memory.ID][]declared.Entry // entries that the batch's files no longer contain
	addedEntries   map[memory.ID]bool             // memories with entries in the batch's files

	otherBranch map[string]bool // files whose forgetting entries were read on another git branch

	auditBatch string // names the edits of this batch in the audit; empty: no row yet

	// The portion of the batch that is in memory; see applyPortions.
	placements        []memory.Placement
	placed            map[memory.ID]bool // of placements
	touched           map[memory.ID]bool // memories whose state may change
	oldPlaces, places map[memory.ID]rows.Place
	oldRows, rows     map[memory.ID]*rows.Memory
}

func newChangeSet(tx *Tx) *changeSet {
	return &changeSet{tx: tx, now: sqlite.ToMillis(tx.Now), touched: map[memory.ID]bool{}, rematched: map[memory.ID]bool{}}
}

// selectChangeSet loads the memories whose ids a query returns.
func (tx *Tx) selectChangeSet(query string, args ...any) (*changeSet, error) {
	cs := newChangeSet(tx)
	if err := cs.selectInto(cs.touched, query, args...); err != nil {
		return nil, err
	}
	return cs, cs.loadRows()
}

// selectInto adds the ids that a query returns to a set.
func (cs *changeSet) selectInto(set map[memory.ID]bool, query string, args ...any) error {
	return cs.tx.sql.Each(query, args, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		set[id] = true
		return err
	})
}

// loadRows reads the rows and places of all touched memories.
func (cs *changeSet) loadRows() (err error) {
	cs.oldPlaces, err = cs.tx.rows.ReadPlaces("memory_id IN (SELECT value FROM json_each(?1))", sqlite.JSONList(slices.Sorted(maps.Keys(cs.touched))))
	if err != nil {
		return err
	}
	cs.places = make(map[memory.ID]rows.Place, len(cs.touched))
	for id, p := range cs.oldPlaces {
		cs.places[id] = p
	}
	if cs.oldRows, err = cs.tx.rows.ReadMemories(slices.Sorted(maps.Keys(cs.touched))); err != nil {
		return err
	}
	cs.rows = make(map[memory.ID]*rows.Memory, len(cs.touched))
	for id, r := range cs.oldRows {
		copied := *r
		cs.rows[id] = &copied
	}
	return nil
}

// loadCopies adds the memories with the same text or wording as these.
func (cs *changeSet) loadCopies(ids []memory.ID) error {
	missing := map[memory.ID]bool{}
	for _, id := range ids {
		err := cs.tx.sql.Each(`SELECT id FROM memories WHERE fingerprint = ?1
			UNION SELECT id FROM memories WHERE wording IN (nullif(?2, 0), nullif(?3, 0))
			UNION SELECT id FROM memories WHERE bare <> 0 AND bare IN (nullif(?2, 0), nullif(?3, 0))`,
			[]any{cs.rows[id].Fingerprint, cs.rows[id].Wording, cs.rows[id].Bare}, func(scan func(...any) error) error {
				var copied memory.ID
				err := scan(&copied)
				if cs.rows[copied] == nil {
					missing[copied] = true
				}
				return err
			})
		if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	memories, err := cs.tx.rows.ReadMemories(slices.Sorted(maps.Keys(missing)))
	if err != nil {
		return err
	}
	places, err := cs.tx.rows.ReadPlaces("memory_id IN (SELECT value FROM json_each(?))", sqlite.JSONList(slices.Sorted(maps.Keys(missing))))
	if err != nil {
		return err
	}
	for id, r := range memories {
		copied := *r
		cs.oldRows[id], cs.rows[id] = r, &copied
	}
	for id, p := range places {
		cs.oldPlaces[id], cs.places[id] = p, p
	}
	return nil
}

// selectRows returns the rows of those memories that the change set has.
func (cs *changeSet) selectRows(ids []memory.ID) map[memory.ID]*rows.Memory {
	found := map[memory.ID]*rows.Memory{}
	for _, id := range ids {
		if r := cs.rows[id]; r != nil {
			found[id] = r
		}
	}
	return found
}

// resolveAndWrite computes the state of every memory and writes the differences.
func (cs *changeSet) resolveAndWrite() error {
	if err := cs.resolve(); err != nil {
		return err
	}
	if err := cs.write(); err != nil {
		return err
	}
	return cs.releaseDoubted()
}

// releaseDoubted resolves the memories that were forgotten because they may be the text
// of one that is forgotten no more.
func (cs *changeSet) releaseDoubted() error {
	restored := slices.DeleteFunc(slices.Sorted(maps.Keys(cs.rows)), func(id memory.ID) bool {
		before := cs.oldRows[id]
		return before == nil || !before.Forgotten || cs.rows[id].Forgotten
	})
	if len(restored) == 0 {
		return nil
	}
	doubted, err := cs.tx.selectChangeSet(declared.SelectDoubted, sqlite.JSONList(restored))
	if err != nil || len(doubted.rows) == 0 {
		return err
	}
	return doubted.resolveAndWrite()
}

// write writes the differences to the tables.
func (cs *changeSet) write() error {
	if err := cs.tx.rows.WritePlaces(cs.oldPlaces, cs.places); err != nil {
		return fmt.Errorf("write places: %w", err)
	}
	if err := cs.writeChunks(); err != nil {
		return fmt.Errorf("write chunks: %w", err)
	}
	var changed, added []memory.ID
	for _, id := range slices.Sorted(maps.Keys(cs.rows)) {
		before, after := cs.oldRows[id], cs.rows[id]
		if before != nil && *before == *after && cs.oldPlaces[id] == cs.places[id] && !cs.isForced(id) {
			continue
		}
		changed = append(changed, id)
		if before == nil {
			added = append(added, id)
		}
		if err := cs.tx.rows.SaveMemory(before, after); err != nil {
			return fmt.Errorf("write memory %s: %w", id, err)
		}
		if before == nil || before.Fingerprint != after.Fingerprint {
			if err := cs.tx.sql.Exec("INSERT OR IGNORE INTO fingerprints(memory_id, fingerprint) VALUES (?, ?)",
				id, after.Fingerprint); err != nil {
				return fmt.Errorf("write fingerprint: %w", err)
			}
		}
		if err := cs.tx.rows.NotePastPlace(cs.oldRows[id], cs.rows[id], cs.oldPlaces[id], cs.places[id], cs.now); err != nil {
			return fmt.Errorf("write past place: %w", err)
		}
	}
	linked, err := cs.tx.declared.LinkTo(added)
	if err != nil {
		return fmt.Errorf("write links: %w", err)
	}
	return cs.tx.noteChanged(append(changed, linked...)...)
}

// isForced reports whether the batch writes the chunks of a memory even if they
// are the same.
func (cs *changeSet) isForced(id memory.ID) bool {
	return cs.placed[id] && cs.batch.Force
}

// writeChunks writes the chunks of every memory that have changed. Unchanged
// chunks keep their rows in the keyword index and their vectors. With Force, the
// rows are compared and not only their hash.
func (cs *changeSet) writeChunks() error {
	created := map[string]time.Time{}
	for _, f := range cs.batchFiles() {
		created[f.Path] = f.Declared.Created
	}
	var inserts []chunks.Memory
	deletes := map[memory.ID]bool{}
	for _, p := range cs.placements { // in the order of the files, so that neighbours stay close on disk
		r, c := cs.rows[p.ID], chunks.New(p, created[p.Path])
		sum := c.Hash()
		if r.ChunksHash == sum && !cs.batch.Force {
			continue
		}
		isKnown, same := cs.oldRows[p.ID] != nil, false
		if isKnown {
			var err error
			if same, err = cs.tx.chunks.Has(c); err != nil {
				return err
			}
		}
		if r.ChunksHash = sum; !same {
			inserts = append(inserts, c)
			if isKnown {
				deletes[p.ID] = true
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(cs.rows)) {
		// A row without a hash may have chunks: a rebuild keeps them.
		before, r := cs.oldRows[id], cs.rows[id]
		if r.MissingSince != 0 && (r.ChunksHash != (sqlite.Hash{}) || before != nil && before.MissingSince == 0) {
			deletes[id] = true
			r.ChunksHash = sqlite.Hash{}
		}
	}
	if err := cs.tx.chunks.Delete(slices.Sorted(maps.Keys(deletes))...); err != nil {
		return err
	}
	return cs.tx.chunks.Insert(inserts)
}
