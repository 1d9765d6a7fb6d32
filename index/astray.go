package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// MisplacedEntries gives the present memories with lines in the other of the two places
// for decisions: in front matter where the file for them is meant, or the other
// way round.
func (db *DB) MisplacedEntries(ctx context.Context, inFile bool) (ids []memory.ID, err error) {
	err = db.sql.Read().Each(ctx, `SELECT DISTINCT e.about FROM entries e JOIN places p ON p.memory_id = e.about
		WHERE (e.path = ?) <> ? ORDER BY e.about`, []any{memory.DecisionsFile, inFile}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, sqlite.Wrap("read where decisions stand", err)
}
