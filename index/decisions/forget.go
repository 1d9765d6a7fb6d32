package decisions

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/changes"
	"github.com/memory-tiered/memory/index/sqlite"
)

// ForgetText marks the texts of these memories. Every present and future copy of
// them is then indexed as forgotten, whatever the files declare.
func (tx *DecisionWriter) ForgetText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *changes.Set) error {
		for _, text := range cs.TextsOf(ids) {
			if _, err := tx.changes.Marks.Add(text, max(1, cs.Now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RestoreText deletes the marks of the texts that these memories have or had. A
// memory stays forgotten if its file or an entry forgets it.
func (tx *DecisionWriter) RestoreText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *changes.Set) error {
		if err := cs.DeleteMarks(ids); err != nil {
			return err
		}
		return tx.changes.Marks.DeleteBareCopies(cs.TextsOf(ids), cs.Texts())
	})
}

// updateMarked loads memories with their copies, calls change, and resolves them.
func (tx *DecisionWriter) updateMarked(ids []memory.ID, change func(*changes.Set) error) error {
	cs, err := tx.changes.Select(changes.SelectCopies, sqlite.JSONList(ids))
	if err != nil {
		return err
	}
	if err := change(cs); err != nil {
		return err
	}
	return cs.Save()
}
