package changes

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// SelectCopies is a query for memories and for all memories with the same fingerprint
// or wording. Marks of list items make no difference.
const SelectCopies = `SELECT id FROM memories WHERE fingerprint IN (
		SELECT fingerprint FROM memories WHERE id IN (SELECT value FROM json_each(?1)))
	UNION SELECT id FROM memories WHERE wording IN (` + selectKeys + `)
	UNION SELECT id FROM memories WHERE bare <> 0 AND bare IN (` + selectKeys + `)`

const selectKeys = `SELECT nullif(wording, 0) FROM memories WHERE id IN (SELECT value FROM json_each(?1))
	UNION ALL SELECT nullif(bare, 0) FROM memories WHERE id IN (SELECT value FROM json_each(?1))`

// SelectCopiesOf is the same for one memory.
const SelectCopiesOf = `SELECT b.id FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint WHERE a.id = ?1
	UNION SELECT b.id FROM memories a JOIN memories b ON b.wording IN (nullif(a.wording, 0), nullif(a.bare, 0)) WHERE a.id = ?1
	UNION SELECT b.id FROM memories a JOIN memories b ON b.bare <> 0 AND b.bare IN (nullif(a.wording, 0), nullif(a.bare, 0)) WHERE a.id = ?1`

// LoadCopies adds the memories with the same text or wording as these.
func (cs *Set) LoadCopies(ids []memory.ID) error {
	missing := map[memory.ID]bool{}
	for _, id := range ids {
		err := cs.tx.sql.Each(`SELECT id FROM memories WHERE fingerprint = ?1
			UNION SELECT id FROM memories WHERE wording IN (nullif(?2, 0), nullif(?3, 0))
			UNION SELECT id FROM memories WHERE bare <> 0 AND bare IN (nullif(?2, 0), nullif(?3, 0))`,
			[]any{cs.Rows[id].Fingerprint, cs.Rows[id].Wording, cs.Rows[id].Bare}, func(scan func(...any) error) error {
				var copied memory.ID
				err := scan(&copied)
				if cs.Rows[copied] == nil {
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
	memories, err := cs.tx.Rows.ReadMemories(slices.Sorted(maps.Keys(missing)))
	if err != nil {
		return err
	}
	places, err := cs.tx.Rows.ReadPlaces("memory_id IN (SELECT value FROM json_each(?))", sqlite.JSONList(slices.Sorted(maps.Keys(missing))))
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
