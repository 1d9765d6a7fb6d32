package rows

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/sqldb"
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
		r := memories[id]
		if err := cs.tx.Marks.Delete(marks.NewText(r.Fingerprint, r.Text, headingOf(r, cs.Places)), max(1, cs.Now)); err != nil {
			return err
		}
		if err := cs.tx.Marks.DeleteFormer(id, max(1, cs.Now)); err != nil {
			return err
		}
	}
	return nil
}

// NoteFormerTexts keeps the marks of the texts that edited memories of the set had.
func (cs *Set) NoteFormerTexts() error {
	for _, id := range slices.Sorted(maps.Keys(cs.OldRows)) {
		before := cs.OldRows[id]
		if after := cs.Rows[id]; after == nil || after.Fingerprint == before.Fingerprint {
			continue
		}
		if err := cs.tx.Marks.NoteFormer(id, marks.NewText(before.Fingerprint, before.Text, headingOf(before, cs.OldPlaces))); err != nil {
			return fmt.Errorf("write former text: %w", err)
		}
	}
	return nil
}

// EditHashes returns the keyed hashes of the texts that a memory of the set had and has. They
// are hexadecimal digits; empty if the texts are the same.
func (cs *Set) EditHashes(id memory.ID) (before, after string, err error) {
	was, is := cs.OldRows[id], cs.Rows[id]
	if was.Fingerprint == is.Fingerprint {
		return "", "", nil
	}
	hashes, err := cs.tx.Marks.Exact(map[memory.ID]marks.Text{"was": marks.NewText(was.Fingerprint, was.Text, headingOf(was, cs.OldPlaces)),
		"is": marks.NewText(is.Fingerprint, is.Text, headingOf(is, cs.Places))})
	return fmt.Sprintf("%x", hashes["was"]), fmt.Sprintf("%x", hashes["is"]), err
}

// AddMarks marks the texts that a memory of the set has and had, in every copy. It reports
// whether its present text was not marked before.
func (cs *Set) AddMarks(id memory.ID) (added bool, err error) {
	text, known := cs.TextsOf([]memory.ID{id})[id]
	if !known {
		return false, nil
	}
	at := max(1, cs.Now)
	if added, err = cs.tx.Marks.Add(text, at); err != nil {
		return added, err
	}
	return added, cs.tx.Marks.AddFormer(id, at)
}

// ResolveMarked computes the state of the memories whose texts are selected.
func (tx *Tx) ResolveMarked(isSelected func(marks.Text) bool) error {
	var ids []memory.ID
	err := tx.sql.Each(SelectTexts, nil, func(scan func(...any) error) error {
		id, t, err := ScanText(scan)
		if err == nil && isSelected(t) {
			ids = append(ids, id)
		}
		return err
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	cs, err := tx.SelectIDs(ids)
	if err != nil {
		return err
	}
	return cs.Save()
}

// SelectTexts selects what the marks of all memories are made from, for [ScanText].
const SelectTexts = "SELECT m.id, m.fingerprint, m.text, coalesce(p.heading, m.last_heading) FROM memories m LEFT JOIN places p ON p.memory_id = m.id"

// ScanText scans a row of [SelectTexts].
func ScanText(scan func(...any) error) (id memory.ID, t marks.Text, err error) {
	var f sqldb.Hash
	var text, heading string
	err = scan(&id, &f, &text, &heading)
	return id, marks.NewText(f, text, heading), err
}

// Marked returns which memories of the set have a marked text.
func (cs *Set) Marked() (map[memory.ID]bool, error) { return cs.tx.findMarked(cs.Rows, cs.Places) }

func (tx *Tx) findMarked(memories map[memory.ID]*Memory, places map[memory.ID]Place) (map[memory.ID]bool, error) {
	if found, err := tx.Marks.Any(); err != nil || !found {
		return nil, err
	}
	return tx.Marks.Find(textsOf(memories, places))
}

func textsOf(memories map[memory.ID]*Memory, places map[memory.ID]Place) map[memory.ID]marks.Text {
	texts := make(map[memory.ID]marks.Text, len(memories))
	for id, r := range memories {
		texts[id] = marks.NewText(r.Fingerprint, r.Text, headingOf(r, places))
	}
	return texts
}

// headingOf returns the heading path above a memory, or above its last place.
func headingOf(r *Memory, places map[memory.ID]Place) string {
	if at, hasPlace := places[r.ID]; hasPlace {
		return at.Heading
	}
	return r.LastHeading
}
