package journal

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Copies lists some memories and all others with the same text or wording, by id,
// including missing and forgotten ones. Short texts are equal only under the same
// heading.
func (j *Journal) Copies(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	return j.copies(ctx, ids, marks.Text.Equal)
}

// ExactCopies is Copies without those that only have the same wording.
func (j *Journal) ExactCopies(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	return j.copies(ctx, ids, marks.Text.EqualExactly)
}

// copies lists the memories whose texts are equal to those of some memories.
func (j *Journal) copies(ctx context.Context, ids []memory.ID, equal func(a, b marks.Text) bool) (copies []memory.ID, err error) {
	requested := map[memory.ID]bool{}
	for _, id := range ids {
		requested[id] = true
	}
	type candidate struct {
		id   memory.ID
		text marks.Text
	}
	var all []candidate
	wanted := map[int64][]marks.Text{} // by the keys of their wordings
	err = j.sql.Read().Each(ctx, rows.SelectTexts+" WHERE m.id IN ("+rows.SelectCopies+") ORDER BY m.id",
		[]any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
			id, t, err := rows.ScanText(scan)
			all = append(all, candidate{id, t})
			if requested[id] {
				wanted[t.Wording.Key()] = append(wanted[t.Wording.Key()], t)
			}
			return err
		})
	for _, c := range all {
		if slices.ContainsFunc(wanted[c.text.Wording.Key()], func(t marks.Text) bool { return equal(t, c.text) }) {
			copies = append(copies, c.id)
		}
	}
	return copies, sqldb.Wrap("find copies", err)
}
