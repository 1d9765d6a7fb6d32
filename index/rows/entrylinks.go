package rows

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// linkTo completes the links of earlier memories to those that are new. It returns the
// memories that it changed.
func (tx *Tx) linkTo(added []memory.ID) (changed []memory.ID, err error) {
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
		[]any{sqldb.JSONList(links)}, func(scan func(...any) error) error {
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

// SupersededBy returns what supersedes the present memories now that one of some
// memories replaced. The values are as the audit has them: an id, or nil for nothing.
func (tx *Tx) SupersededBy(successors []memory.ID) (map[memory.ID]any, error) {
	found := map[memory.ID]any{}
	err := tx.sql.Each(`WITH RECURSIVE older(id) AS (
			SELECT id FROM memories WHERE superseded_by IN (SELECT value FROM json_each(?))
			UNION SELECT m.id FROM older o JOIN memories m ON m.superseded_by = o.id)
		SELECT v.id, v.superseded_by FROM older o JOIN visible v ON v.id = o.id`, []any{sqldb.JSONList(successors)},
		func(scan func(...any) error) error {
			var id memory.ID
			var by sqldb.NullText
			err := scan(&id, &by)
			if found[id] = nil; by != "" {
				found[id] = string(by)
			}
			return err
		})
	return found, err
}

// wholeIDs returns the whole ids of the memories that links name by their first digits.
// It leaves out unknown memories.
func (tx *Tx) wholeIDs(links []memory.ID) (map[memory.ID]memory.ID, error) {
	whole := map[memory.ID]memory.ID{}
	err := tx.sql.Each(`SELECT link.value, (SELECT min(id) FROM memories WHERE id >= link.value AND id < link.value || 'g')
		FROM json_each(?) link`, []any{sqldb.JSONList(links)}, func(scan func(...any) error) error {
		var link memory.ID
		var id sqldb.NullText
		err := scan(&link, &id)
		if id != "" {
			whole[link] = memory.ID(id)
		}
		return err
	})
	return whole, err
}
