package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Hashes gives what some files held when they were indexed last. One that is
// not indexed is left out.
func (db *DB) Hashes(ctx context.Context, paths []string) (map[string]memory.Hash, error) {
	found := map[string]memory.Hash{}
	err := db.sql.Read().Each(ctx, "SELECT path, hash FROM files WHERE path IN (SELECT value FROM json_each(?))",
		[]any{sqlite.JSONList(paths)}, func(scan func(...any) error) error {
			var path string
			var h sqlite.Hash
			err := scan(&path, &h)
			found[path] = memory.Hash(h)
			return err
		})
	return found, sqlite.Wrap("read files", err)
}

// ForgottenByEntries gives the memories that the lines of some files forget, as they are
// indexed.
func (db *DB) ForgottenByEntries(ctx context.Context, paths []string) (ids []memory.ID, err error) {
	err = db.sql.Read().Each(ctx, `SELECT about FROM entries WHERE path IN (SELECT value FROM json_each(?))
		AND about <> '' AND json_extract(declared, '$.forgotten')`, []any{sqlite.JSONList(paths)}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, sqlite.Wrap("read entries", err)
}

// HasForgettingEntries says whether any file has a line that forgets a memory.
func (db *DB) HasForgettingEntries(ctx context.Context) (some bool, err error) {
	err = db.sql.Read().Each(ctx, "SELECT EXISTS (SELECT 1 FROM entries WHERE json_extract(declared, '$.forgotten'))", nil,
		func(scan func(...any) error) error { return scan(&some) })
	return some, sqlite.Wrap("read entries", err)
}
