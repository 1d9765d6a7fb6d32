package rows

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// SelectCopies is a query for memories and for all memories with the same fingerprint
// or wording.
const SelectCopies = `SELECT id FROM memories WHERE fingerprint IN (
		SELECT fingerprint FROM memories WHERE id IN (SELECT value FROM json_each(?1)))
	UNION SELECT id FROM memories WHERE wording IN (
		SELECT nullif(wording, 0) FROM memories WHERE id IN (SELECT value FROM json_each(?1)))`

// selectForgettingCopies finds the memories that a decision forgets in every copy, and that
// have or had a text which the memory ?1 has, or had. A decision whose line is gone with its
// file covers no former text.
const selectForgettingCopies = `WITH texts(fingerprint, key) AS (SELECT CAST(?2 AS BLOB), nullif(CAST(?3 AS INTEGER), 0)
		UNION SELECT fingerprint, nullif(key, 0) FROM former_texts WHERE memory_id = ?1),
	copies(id, former) AS (SELECT m.id, false FROM texts t JOIN memories m ON m.fingerprint = t.fingerprint
		UNION SELECT m.id, false FROM texts t JOIN memories m ON m.wording = t.key
		UNION SELECT f.memory_id, true FROM texts t JOIN former_texts f ON f.fingerprint = t.fingerprint OR f.key = t.key)
	SELECT m.id FROM copies c JOIN memories m ON m.id = c.id
		WHERE EXISTS (SELECT 1 FROM (SELECT m.sidecar AS d UNION ALL SELECT iif(c.former, '{}', m.inherited)
				UNION ALL SELECT e.declared FROM entries e WHERE e.about = m.id)
			WHERE CAST(json_extract(d, '$.forgotten') AS INTEGER) = 1 AND coalesce(CAST(json_extract(d, '$.only') AS INTEGER), 0) = 0
				-- a restore revoked it while its file was gone
				AND coalesce(json_extract(m.sidecar, '$.revoked'), '') <> coalesce(substr(json_extract(d, '$.forgotten_at'), 1, 10), 'undated'))`

// RestoreTexts deletes the marks of the texts that some memories of the set have and had.
// A text that another decision forgets keeps its marks.
func (cs *Set) RestoreTexts(ids []memory.ID) error {
	forgetting := map[memory.ID]bool{}
	for _, id := range ids {
		found, err := cs.tx.IDs(selectForgettingCopies, id, cs.Rows[id].Fingerprint, cs.Rows[id].Wording)
		if err != nil {
			return err
		}
		for _, id := range found {
			forgetting[id] = true
		}
	}
	if err := cs.DeleteMarks(ids); err != nil {
		return err
	}
	if err := cs.loadMore(forgetting); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(forgetting)) {
		if _, err := cs.AddMarks(id); err != nil {
			return err
		}
	}
	return nil
}

// LoadCopies adds the memories with the same text or wording as these.
func (cs *Set) LoadCopies(ids []memory.ID) error {
	missing := map[memory.ID]bool{}
	for _, id := range ids {
		copies, err := cs.tx.IDs(`SELECT id FROM memories WHERE fingerprint = ?1
			UNION SELECT id FROM memories WHERE wording = nullif(CAST(?2 AS INTEGER), 0)`,
			cs.Rows[id].Fingerprint, cs.Rows[id].Wording)
		if err != nil {
			return err
		}
		for _, copied := range copies {
			missing[copied] = true
		}
	}
	return cs.loadMore(missing)
}

// loadMore adds memories that the set lacks.
func (cs *Set) loadMore(ids map[memory.ID]bool) error {
	missing := maps.Clone(ids)
	maps.DeleteFunc(missing, func(id memory.ID, _ bool) bool { return cs.Rows[id] != nil })
	if len(missing) == 0 {
		return nil
	}
	memories, err := cs.tx.ReadMemories(slices.Sorted(maps.Keys(missing)))
	if err != nil {
		return err
	}
	places, err := cs.tx.readPlaces("memory_id IN (SELECT value FROM json_each(?))", sqldb.JSONList(slices.Sorted(maps.Keys(missing))))
	if err != nil {
		return err
	}
	for id, r := range memories {
		copied := *r
		cs.OldRows[id], cs.Rows[id] = r, &copied
	}
	for id, p := range places {
		cs.OldPlaces[id], cs.Places[id] = p, p
	}
	return nil
}
