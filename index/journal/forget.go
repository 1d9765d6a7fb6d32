package journal

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// ForgetText marks the texts that these memories have and had. Every present and future copy of
// them is then indexed as forgotten, whatever the files declare.
func (tx *Writer) ForgetText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *rows.Set) error {
		for _, id := range ids {
			if _, err := cs.AddMarks(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// RestoreText deletes the marks of the texts that these memories have or had. A
// memory stays forgotten if its file or an entry forgets it.
func (tx *Writer) RestoreText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *rows.Set) error {
		destroyed, err := tx.changes.Marks.AnyDestroyed()
		if err != nil {
			return err
		}
		if destroyed { // it may be forgotten no more: the files that have it are read again
			if err := tx.sql.Exec("UPDATE files SET hash = zeroblob(32), stamp = '' WHERE faults <> '[]'"); err != nil {
				return err
			}
		}
		return cs.DeleteMarks(ids)
	})
}

// updateMarked loads memories with their copies, calls change, and resolves them.
func (tx *Writer) updateMarked(ids []memory.ID, change func(*rows.Set) error) error {
	cs, err := tx.changes.Select(rows.SelectCopies, sqldb.JSONList(ids))
	if err != nil {
		return err
	}
	if err := change(cs); err != nil {
		return err
	}
	return cs.Save()
}
