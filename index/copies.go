package index

import (
	"context"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/internal/wording"
)

// Copies lists some memories and all others with the same text or wording, by id,
// including missing and forgotten ones. Short texts are equal only under the same
// heading.
func (db *DB) Copies(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	return db.copies(ctx, ids, marks.Text.Equal)
}

// ExactCopies is Copies without those that only have the same wording.
func (db *DB) ExactCopies(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	return db.copies(ctx, ids, marks.Text.EqualExactly)
}

// copies lists the memories whose texts are equal to those of some memories.
func (db *DB) copies(ctx context.Context, ids []memory.ID, equal func(a, b marks.Text) bool) (copies []memory.ID, err error) {
	requested := map[memory.ID]bool{}
	for _, id := range ids {
		requested[id] = true
	}
	type candidate struct {
		id   memory.ID
		text marks.Text
	}
	var all []candidate
	wanted := map[int64][]marks.Text{} // by the keys of their wordings; texts without a wording by 0
	err = db.sql.Read().Each(ctx, `SELECT m.id, m.fingerprint, m.text, coalesce(p.heading, m.last_heading)
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id WHERE m.id IN (`+selectCopies+`) ORDER BY m.id`,
		[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var id memory.ID
			var f sqlite.Hash
			var text, heading string
			err := scan(&id, &f, &text, &heading)
			t := marks.NewText(f, text, heading)
			all = append(all, candidate{id, t})
			for _, key := range t.Keys() {
				if requested[id] {
					wanted[key] = append(wanted[key], t)
				}
			}
			return err
		})
	for _, c := range all {
		if slices.ContainsFunc(c.text.Keys(), func(key int64) bool {
			return slices.ContainsFunc(wanted[key], func(t marks.Text) bool { return equal(t, c.text) })
		}) {
			copies = append(copies, c.id)
		}
	}
	return copies, sqlite.Wrap("find copies", err)
}

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
	cs, err := tx.selectChangeSet("SELECT value FROM json_each(?)", sqlite.JSONList(ids))
	if err != nil {
		return nil, err
	}
	found, err := tx.findMarked(cs.rows, cs.places)
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if found[id] {
			marked = append(marked, id)
		}
	}
	return marked, err
}
