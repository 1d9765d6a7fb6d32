package index

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/internal/wording"
)

// addWordings computes the wordings of rows that an older version wrote, and marks the
// wordings of the texts that it marked. Every copy of them is forgotten from then on.
func (tx *Tx) addWordings() error {
	keys, bare, forgotten := map[memory.ID]int64{}, map[memory.ID]int64{}, []memory.ID{}
	err := tx.sql.Each("SELECT id, text, do_not_inject FROM memories WHERE wording = 0 OR bare = -1", nil, func(scan func(...any) error) error {
		var id memory.ID
		var text string
		var isForgotten bool
		err := scan(&id, &text, &isForgotten)
		keys[id], bare[id] = wording.Of(text).Key(), rows.BareKey(text)
		if isForgotten {
			forgotten = append(forgotten, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		if err := tx.sql.Exec("UPDATE memories SET wording = ?, bare = ? WHERE id = ?", keys[id], bare[id], id); err != nil {
			return err
		}
	}
	marked, err := tx.exactlyMarked(forgotten)
	if err != nil || len(marked) == 0 {
		return err
	}
	return tx.ForgetText(marked...)
}

// exactlyMarked returns those of some memories whose exact texts are marked.
func (tx *Tx) exactlyMarked(ids []memory.ID) (marked []memory.ID, err error) {
	cs, err := tx.changes.SelectIDs(ids)
	if err != nil {
		return nil, err
	}
	found, err := cs.Marked()
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if found[id] {
			marked = append(marked, id)
		}
	}
	return marked, err
}
