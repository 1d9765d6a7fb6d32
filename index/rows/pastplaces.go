package rows

import "github.com/memory-tiered/memory/index/sqlite"

const insertPastPlace = `INSERT OR REPLACE INTO past_places(memory_id, path, fingerprint, ordinal, left_at)
	VALUES (?, ?, ?, ?, ?)`

// notePastPlace notes the place that a memory left with its text: it moved, was edited,
// or returned in another file. before may be nil, and places may be empty.
func (tx *Tx) notePastPlace(before, after *Memory, was, at Place, now sqlite.Millis) error {
	if before == nil || at.Path == "" {
		return nil
	}
	if before.MissingSince != 0 {
		was = Place{Path: string(before.LastPath), Ordinal: before.LastOrdinal}
	}
	if was.Path == "" || was.Path == at.Path && before.Fingerprint == after.Fingerprint {
		return nil
	}
	return tx.sql.Exec(insertPastPlace, before.ID, was.Path, before.Fingerprint, was.Ordinal, now)
}

// NoteLeftPlace notes the place of a memory that is about to get another one.
func (tx *Tx) NoteLeftPlace(r *Memory, now sqlite.Millis) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO past_places(memory_id, path, fingerprint, ordinal, left_at)
		SELECT memory_id, path, ?, ordinal, ? FROM places WHERE memory_id = ?`,
		r.Fingerprint, now, r.ID)
}
