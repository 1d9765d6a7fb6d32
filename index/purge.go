package index

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

// purgeable selects the memories that have been missing since before a time. It
// leaves out forgotten ones if only their rows keep the text forgotten. These are
// those that had other texts before, those that were forgotten without their copies,
// and those whose decision is in no file yet. The marks of forgotten texts cover all
// others. It also leaves out those that superseded another memory: without them, that
// would be superseded by an unknown one.
const purgeable = `SELECT m.id FROM memories m WHERE m.missing_since < ? AND NOT (m.do_not_inject AND (
	EXISTS (SELECT 1 FROM past_fingerprints f WHERE f.memory_id = m.id) OR coalesce(CAST(json_extract(m.sidecar, '$.forgotten') AS INTEGER), 0) = 1
	OR coalesce(CAST(json_extract(m.sidecar, '$.only') AS INTEGER), 0) = 1 OR coalesce(CAST(json_extract(m.inherited, '$.only') AS INTEGER), 0) = 1
	OR EXISTS (SELECT 1 FROM entries e WHERE e.about = m.id AND CAST(json_extract(e.declared, '$.only') AS INTEGER) = 1)))
	AND NOT EXISTS (SELECT 1 FROM memories old WHERE old.superseded_by = m.id)
	ORDER BY m.id`

// Purge deletes the memories that have been missing since before a time, and
// returns their number. A text that was forgotten stays forgotten.
func (tx *Tx) Purge(missingBefore time.Time) (int, error) {
	ids, err := tx.changes.IDs(purgeable, sqldb.ToMillis(missingBefore))
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := tx.changes.Delete(id, ""); err != nil {
			return 0, fmt.Errorf("purge %s: %w", id, err)
		}
	}
	return len(ids), nil
}
