package rows

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Set holds the memories that a transaction changes: as the tables have them, and as
// they will be. Everything concerned is loaded first, changed in memory and resolved.
// Then only the differences are written.
type Set struct {
	Now               sqldb.Millis
	Files             Files
	OldPlaces, Places map[memory.ID]Place
	OldRows, Rows     map[memory.ID]*Memory
	tx                *Tx
}

// Files is what the files of a batch say about the memories of a set. It is empty for
// a change that no file causes.
type Files struct {
	Placements []memory.Placement   // of memories of the set, in the order of the files
	Created    map[string]time.Time // what files declare, by path
	Parts      []memory.Part
	Force      bool // write the chunks of the placements even if they are the same
	Elsewhere  bool // the files were read on another git branch, or while git changed them: what they lack is no decision

	// RemovedEntries returns the entries about a memory that its files no longer
	// contain, and that count nevertheless.
	RemovedEntries func(memory.ID) []Entry
}

// New returns an empty set.
func (tx *Tx) New() *Set { return &Set{Now: sqldb.ToMillis(tx.now), tx: tx} }

// Select loads the memories whose ids a query finds.
func (tx *Tx) Select(query string, args ...any) (*Set, error) {
	ids, err := tx.IDs(query, args...)
	if err != nil {
		return nil, err
	}
	cs := tx.New()
	return cs, cs.Load(ids)
}

// SelectIDs loads some memories.
func (tx *Tx) SelectIDs(ids []memory.ID) (*Set, error) {
	cs := tx.New()
	return cs, cs.Load(ids)
}

// Load reads the rows and places of some memories, in the place of those that the set
// has. It leaves out unknown ids.
func (cs *Set) Load(ids []memory.ID) (err error) {
	cs.OldPlaces, err = cs.tx.readPlaces("memory_id IN (SELECT value FROM json_each(?1))", sqldb.JSONList(ids))
	if err != nil {
		return err
	}
	cs.Places = maps.Clone(cs.OldPlaces)
	if cs.OldRows, err = cs.tx.ReadMemories(ids); err != nil {
		return err
	}
	cs.Rows = make(map[memory.ID]*Memory, len(ids))
	for id, r := range cs.OldRows {
		copied := *r
		cs.Rows[id] = &copied
	}
	return nil
}

// selectRows returns the rows of those memories that the change set has.
func (cs *Set) selectRows(ids []memory.ID) map[memory.ID]*Memory {
	found := map[memory.ID]*Memory{}
	for _, id := range ids {
		if r := cs.Rows[id]; r != nil {
			found[id] = r
		}
	}
	return found
}

// Save computes the state of every memory and writes the differences.
func (cs *Set) Save() error {
	if err := cs.Resolve(); err != nil {
		return err
	}
	return cs.Write()
}

// Write writes the differences to the tables.
func (cs *Set) Write() error {
	if err := cs.tx.writePlaces(cs.OldPlaces, cs.Places); err != nil {
		return fmt.Errorf("write places: %w", err)
	}
	if err := cs.writeChunks(); err != nil {
		return fmt.Errorf("write chunks: %w", err)
	}
	forced := map[memory.ID]bool{}
	for _, p := range cs.Files.Placements {
		forced[p.ID] = cs.Files.Force
	}
	var changed, added []memory.ID
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		before, after := cs.OldRows[id], cs.Rows[id]
		if before != nil && *before == *after && cs.OldPlaces[id] == cs.Places[id] && !forced[id] {
			continue
		}
		changed = append(changed, id)
		if before == nil {
			added = append(added, id)
		}
		if err := cs.tx.SaveMemory(before, after); err != nil {
			return fmt.Errorf("write memory %s: %w", id, err)
		}
		if before != nil && before.Fingerprint != after.Fingerprint {
			if err := cs.tx.sql.Exec("INSERT INTO past_fingerprints(memory_id, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING",
				id, before.Fingerprint); err != nil {
				return fmt.Errorf("write fingerprint: %w", err)
			}
		}
		if err := cs.tx.notePastPlace(cs.OldRows[id], cs.Rows[id], cs.OldPlaces[id], cs.Places[id], cs.Now); err != nil {
			return fmt.Errorf("write past place: %w", err)
		}
	}
	linked, err := cs.tx.linkTo(added)
	if err != nil {
		return fmt.Errorf("write links: %w", err)
	}
	cs.tx.resolved = cs.tx.resolved || len(changed) > 0
	return cs.tx.Note(append(changed, linked...)...)
}

// writeChunks writes the chunks of every memory that have changed. Unchanged
// chunks keep their rows in the keyword index and their vectors. With Force, the
// rows are compared and not only their hash.
func (cs *Set) writeChunks() error {
	var inserts []searchable
	deletes := map[memory.ID]bool{}
	for _, p := range cs.Files.Placements { // in the order of the files, so that neighbours stay close on disk
		r, c := cs.Rows[p.ID], newSearchable(p, cs.Files.Created[p.Path])
		sum := c.hash()
		if r.ChunksHash == sum && !cs.Files.Force {
			continue
		}
		isKnown, same := cs.OldRows[p.ID] != nil, false
		if isKnown {
			var err error
			if same, err = cs.tx.hasChunks(c); err != nil {
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
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		// A row without a hash may have chunks: a rebuild keeps them.
		before, r := cs.OldRows[id], cs.Rows[id]
		if r.MissingSince != 0 && (r.ChunksHash != (sqldb.Hash{}) || before != nil && before.MissingSince == 0) {
			deletes[id] = true
			r.ChunksHash = sqldb.Hash{}
		}
	}
	if err := cs.tx.DeleteChunks(slices.Sorted(maps.Keys(deletes))...); err != nil {
		return err
	}
	return cs.tx.insertChunks(inserts)
}
