package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
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

const selectPastPlaces = `SELECT memory_id, path, fingerprint, ordinal, left_at FROM past_places
	WHERE memory_id IN (` + knownIDs + `)`

// readPastPlaces adds the past places to known memories; position is the index of
// each id.
func readPastPlaces(ctx context.Context, r sqlite.Reader, args []any, known []identity.KnownMemory, position map[memory.ID]int) error {
	return r.Each(ctx, selectPastPlaces, args, func(scan func(...any) error) error {
		var id memory.ID
		var p identity.PastPlace
		var f sqlite.Hash
		var left sqlite.Millis
		err := scan(&id, &p.Path, &f, &p.Ordinal, &left)
		p.Fingerprint, p.LeftAt = memory.Fingerprint(f), left.Time()
		if i, ok := position[id]; ok {
			known[i].PastPlaces = append(known[i].PastPlaces, p)
		}
		return err
	})
}
