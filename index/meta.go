package index

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// SetMeta notes a word under a key, as "last_index" or "last_decay_run".
func (tx *Tx) SetMeta(key, value string) error {
	return tx.sql.Exec(`INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`,
		key, value)
}

// Meta reads what was noted; the empty string where nothing was.
func (tx *Tx) Meta(key string) (value string, err error) {
	err = tx.sql.One("SELECT value FROM meta WHERE key = ?", []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// Meta reads what was noted under a key; the empty string where nothing was.
func (db *DB) Meta(ctx context.Context, key string) (value string, err error) {
	err = db.sql.Read().One(ctx, "SELECT value FROM meta WHERE key = ?", []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, sqlite.Wrap("read meta", err)
}

// Revision counts the transactions that changed a memory. Whoever keeps a copy
// asks [DB.ChangesSince] with the one that the copy was made at.
func (db *DB) Revision(ctx context.Context) (int64, error) {
	value, err := db.Meta(ctx, "revision")
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// ChangesSince gives the memories that changed in any way after a revision,
// those that are no more included, and the revision that this is true at.
func (db *DB) ChangesSince(ctx context.Context, revision int64) (ids []memory.ID, at int64, err error) {
	at = revision
	err = db.sql.Read().Each(ctx, "SELECT memory_id, revision FROM changes WHERE revision > ? ORDER BY revision, memory_id",
		[]any{revision}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id, &at)
			ids = append(ids, id)
			return err
		})
	return ids, at, sqlite.Wrap("read changes", err)
}
