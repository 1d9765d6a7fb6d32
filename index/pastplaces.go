package index

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

const insertPastPlace = `INSERT OR REPLACE INTO past_places(memory_id, path, fingerprint, ordinal, left_at)
	VALUES (?, ?, ?, ?, ?)`

// notePastPlace notes the place that a memory left with its text: it moved, was
// edited, or returned in another file.
func (cs *changeSet) notePastPlace(id memory.ID) error {
	before, after := cs.oldRows[id], cs.rows[id]
	at, isPresent := cs.places[id]
	if before == nil || !isPresent {
		return nil
	}
	was := cs.oldPlaces[id]
	if before.MissingSince != 0 {
		was = rows.Place{Path: string(before.LastPath), Ordinal: before.LastOrdinal}
	}
	if was.Path == "" || was.Path == at.Path && before.Fingerprint == after.Fingerprint {
		return nil
	}
	return cs.tx.sql.Exec(insertPastPlace, id, was.Path, before.Fingerprint, was.Ordinal, cs.now)
}

// noteLeftPlace notes the place of a memory that is about to get another one.
func (tx *Tx) noteLeftPlace(r *rows.Memory) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO past_places(memory_id, path, fingerprint, ordinal, left_at)
		SELECT memory_id, path, ?, ordinal, ? FROM places WHERE memory_id = ?`,
		r.Fingerprint, sqlite.ToMillis(tx.Now), r.ID)
}
