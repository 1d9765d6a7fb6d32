package index

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory/index/marks"
)

// addRestoredMarks adds the forgotten texts of a copy of the file beside the database. A
// person put it there, because the file was damaged and the database was lost.
func (db *DB) addRestoredMarks(ctx context.Context, now time.Time) error {
	return db.Update(ctx, now, func(tx *Tx) error {
		if restored, err := tx.changes.Marks.HasRestoredFile(); err != nil || !restored {
			return err
		}
		cs, err := tx.changes.Select("SELECT id FROM memories")
		if err != nil {
			return err
		}
		if err := tx.changes.Marks.AddRestoredFile(max(1, cs.Now), cs.Texts()); err != nil {
			return err
		}
		return cs.Save()
	})
}

// asideNotice reports that the file with the forgotten texts was set aside.
func asideNotice(aside string) string {
	return fmt.Sprintf("the list of forgotten texts was damaged too, and has been set aside as %s", aside)
}

// DamagedForgotten lists the damaged files with forgotten texts that were set aside.
func (db *DB) DamagedForgotten() []string { return marks.Asides(db.forgottenPath) }
