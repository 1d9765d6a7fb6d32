package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/repair"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Scrub leaves no byte of deleted rows in the database's files or in memory. It
// writes the whole database again, which takes two seconds per 100 MB. A full disk
// or another reader is [memory.ErrUnavailable], and the call can be repeated.
func (db *DB) Scrub(ctx context.Context) error {
	// Merging the keyword index would keep words of deleted chunks, so it is rebuilt.
	if err := db.sql.Rewrite(ctx, "INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')"); err != nil {
		return sqldb.Wrap("scrub index", err)
	}
	return sqldb.Wrap("scrub index", db.Reload(ctx))
}

// OptimizeWords merges the keyword index into one part, which makes queries from the tables some
// 20 % faster. It writes the index again if that has several parts (two seconds per 100,000
// memories).
func (db *DB) OptimizeWords(ctx context.Context) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		return tx.sql.Optimize(!db.KeepsInMemory())
	})
}

// QuickCheck checks the whole file for damage (0.25 s for 40 MB). Opening the
// database again repairs it.
func (db *DB) QuickCheck(ctx context.Context) error { return db.sql.QuickCheck(ctx) }

// FreeMemory returns to the system what much work leaves: garbage, and the caches of
// connections.
func (db *DB) FreeMemory() { db.sql.FreeMemory() }

// Checkpoint moves the content of the write-ahead log into the database and
// truncates the log. While another connection reads, it moves what it can, which
// is no error.
func (db *DB) Checkpoint(ctx context.Context) error { return db.sql.Checkpoint(ctx) }

// Backup writes a copy of the database to path (mode 0600), complete or not at
// all. Reading and writing go on meanwhile.
func (db *DB) Backup(ctx context.Context, path string) error { return db.sql.Backup(ctx, path, nil) }

// CheckedBackup is [DB.Backup] after a check of the copy for damage, which includes
// flipped bits inside rows. A damaged copy replaces nothing, and [DB.Damage] returns
// the error.
func (db *DB) CheckedBackup(ctx context.Context, path string) error {
	return db.sql.Backup(ctx, path, func(copied string) error { return repair.CheckCopy(ctx, copied, query.Functions, db.fingerprint) })
}

// errDiscard makes Backup remove the copy.
var errDiscard = errors.New("the copy is not needed any more")

// Diagnose looks for damage in a copy of the database, and changes nothing. It takes as
// long as reading the database twice. A server checks its own files.
func (db *DB) Diagnose(ctx context.Context) (problems []Problem, err error) {
	if db.OnServer() {
		return nil, sqldb.Wrap("check the index", db.QuickCheck(ctx))
	}
	err = db.sql.Backup(ctx, db.sql.Path(), func(copied string) (err error) {
		problems, err = repair.Diagnose(ctx, copied, query.Functions, db.fingerprint)
		return cmp.Or(err, errDiscard)
	})
	if errors.Is(err, errDiscard) {
		err = nil
	}
	return problems, sqldb.Wrap("check the index", err)
}

// Damage returns the first error that reported damage of the database, or nil. Opening
// the database again repairs it.
func (db *DB) Damage() error { return db.sql.Damage() }

// IsLost reports whether somebody removed or replaced the open database, or another process
// writes to it now. Opening it again restores it from its backup.
func (db *DB) IsLost() bool { return db.sql.IsLost() }

// Renew keeps the connection that writes to a server. A service calls it every second.
func (db *DB) Renew(ctx context.Context) { db.sql.Renew(ctx) }

// IsFree reports whether an index on a server, which is only read, has lost its writer.
func (db *DB) IsFree(ctx context.Context) bool { return db.sql.IsFree(ctx) }

// Reset fills the keyword index again and marks every file to be read again, because
// the index may be wrong. It keeps the memories, so that blocks match them again,
// and the embeddings. It also keeps the chunks, which are searched until the next
// [DB.Apply] compares them with the files.
func (db *DB) Reset(ctx context.Context, now time.Time) error {
	return db.Update(ctx, now, (*Tx).reset)
}

func (tx *Tx) reset() error {
	if err := tx.sql.Run("DELETE FROM chunks WHERE memory_id NOT IN (SELECT memory_id FROM places)"); err != nil {
		return err
	}
	for i := range 256 { // by the first two digits of the ids: see maxRows
		from, to := fmt.Sprintf("%02x", i), fmt.Sprintf("%02x", i+1)
		if i == 255 {
			to = "g"
		}
		if err := tx.sql.Exec("UPDATE memories SET chunks_hash = NULL WHERE chunks_hash IS NOT NULL AND id >= ? AND id < ?", from, to); err != nil {
			return err
		}
	}
	if err := tx.recreateDerived(); err != nil {
		return err
	}
	return errors.Join(tx.vectors.NoteChunks(), tx.eachRows("SELECT coalesce(max(id), 0) FROM chunks", tx.changes.IndexWords))
}

// maxRows is how many rows one statement changes where it could change all of a table.
// SQLite keeps the pages that a statement changes in memory until it ends.
const maxRows = 10_000

// eachRows calls change for all rows up to the number that a query returns, in ranges
// (after, last].
func (tx *Tx) eachRows(maxRow string, change func(after, last int64) error) error {
	var most int64
	if err := tx.sql.One(maxRow, nil, &most); err != nil {
		return err
	}
	for after := int64(0); after < most; after += maxRows {
		if err := change(after, after+maxRows); err != nil {
			return err
		}
	}
	return nil
}

// recreateDerived creates the derived tables, the keyword index empty, and marks every
// file to be read again. Chunks stay, and so do the cached vectors of texts.
func (tx *Tx) recreateDerived() error {
	if err := tx.sql.Run(
		"DROP TABLE IF EXISTS memories_fts_words; DROP TABLE IF EXISTS memories_fts_places",
		"DROP TABLE IF EXISTS memories_fts",
		"UPDATE files SET hash = zeroblob(32), stamp = ''",
	); err != nil {
		return err
	}
	return tx.runScript("derived.sql")
}
