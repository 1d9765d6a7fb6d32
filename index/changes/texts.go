package changes

import (
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Texts returns what the marks of the set's memories are made from.
func (cs *Set) Texts() map[memory.ID]marks.Text { return textsOf(cs.Rows, cs.Places) }

// TextsOf returns the same for those of some memories that the set has.
func (cs *Set) TextsOf(ids []memory.ID) map[memory.ID]marks.Text {
	return textsOf(cs.selectRows(ids), cs.Places)
}

// DeleteMarks deletes every mark of those of some memories that the set has, including
// those of their former texts.
func (cs *Set) DeleteMarks(ids []memory.ID) error {
	memories := cs.selectRows(ids)
	for _, id := range slices.Sorted(maps.Keys(memories)) {
		r, heading := memories[id], headingOf(memories[id], cs.Places)
		prints := []sqlite.Hash{}
		if err := cs.tx.sql.Each("SELECT fingerprint FROM fingerprints WHERE memory_id = ?", []any{id}, func(scan func(...any) error) error {
			var f sqlite.Hash
			err := scan(&f)
			prints = append(prints, f)
			return err
		}); err != nil {
			return err
		}
		if err := cs.tx.Marks.Delete(marks.NewText(r.Fingerprint, r.Text, heading)); err != nil {
			return err
		}
		for _, f := range prints {
			if err := cs.tx.Marks.DeleteFormer(f, heading); err != nil {
				return err
			}
		}
	}
	return nil
}

// Marked returns which memories of the set have a marked text.
func (cs *Set) Marked() (map[memory.ID]bool, error) { return cs.tx.findMarked(cs.Rows, cs.Places) }

func (tx *Tx) findMarked(memories map[memory.ID]*rows.Memory, places map[memory.ID]rows.Place) (map[memory.ID]bool, error) {
	if found, err := tx.Marks.Any(); err != nil || !found {
		return nil, err
	}
	return tx.Marks.Find(textsOf(memories, places))
}

func textsOf(memories map[memory.ID]*rows.Memory, places map[memory.ID]rows.Place) map[memory.ID]marks.Text {
	texts := make(map[memory.ID]marks.Text, len(memories))
	for id, r := range memories {
		texts[id] = marks.NewText(r.Fingerprint, r.Text, headingOf(r, places))
	}
	return texts
}

// headingOf returns the heading path above a memory, or above its last place.
func headingOf(r *rows.Memory, places map[memory.ID]rows.Place) string {
	if at, hasPlace := places[r.ID]; hasPlace {
		return at.Heading
	}
	return r.LastHeading
}
