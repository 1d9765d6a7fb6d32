package index

import (
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqldb"
)

// CommitDate is the result of the search for a memory's commit.
type CommitDate struct {
	At   time.Time // zero: not found
	Note string    // why it was not found
}

// SetCommitDates stores the results of a search, so that it is not repeated.
func (tx *Tx) SetCommitDates(dates map[memory.ID]CommitDate) error {
	cs, err := tx.changes.SelectIDs(slices.Sorted(maps.Keys(dates)))
	if err != nil {
		return err
	}
	for id, r := range cs.Rows {
		if d := dates[id]; d.At.IsZero() {
			r.GitNote = d.Note
		} else {
			r.CommittedAt, r.GitNote = sqldb.ToMillis(d.At), query.GitNoteFound
		}
	}
	return cs.Save()
}
