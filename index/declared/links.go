package declared

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// LinkTo completes the links of earlier memories to those that are new. It returns the
// memories that it changed.
func (tx *Tx) LinkTo(added []memory.ID) (changed []memory.ID, err error) {
	if len(added) == 0 {
		return nil, nil
	}
	whole, links := map[memory.ID]memory.ID{}, make([]memory.ID, 0, len(added))
	for _, id := range added {
		whole[id.Linked()] = id
		links = append(links, id.Linked())
	}
	found := map[memory.ID]memory.ID{}
	err = tx.sql.Each("SELECT id, superseded_by FROM memories WHERE superseded_by IN (SELECT value FROM json_each(?))",
		[]any{sqlite.JSONList(links)}, func(scan func(...any) error) error {
			var id, link memory.ID
			err := scan(&id, &link)
			found[id] = whole[link]
			return err
		})
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if err := tx.sql.Exec("UPDATE memories SET superseded_by = ? WHERE id = ?", found[id], id); err != nil {
			return nil, err
		}
		changed = append(changed, id)
	}
	return changed, nil
}

// SupersededBy returns, for each present memory that one of some memories replaced,
// what supersedes it now; empty: nothing.
func (tx *Tx) SupersededBy(successors []memory.ID) (map[memory.ID]memory.ID, error) {
	found := map[memory.ID]memory.ID{}
	err := tx.sql.Each(`WITH RECURSIVE older(id) AS (
			SELECT id FROM memories WHERE superseded_by IN (SELECT value FROM json_each(?))
			UNION SELECT m.id FROM older o JOIN memories m ON m.superseded_by = o.id)
		SELECT v.id, v.superseded_by FROM older o JOIN visible v ON v.id = o.id`, []any{sqlite.JSONList(successors)},
		func(scan func(...any) error) error {
			var id memory.ID
			var by sqlite.NullText
			err := scan(&id, &by)
			found[id] = memory.ID(by)
			return err
		})
	return found, err
}
