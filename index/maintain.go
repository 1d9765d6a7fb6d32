package index

import (
	"context"
	"io"
	"time"

	"github.com/memory-tiered/memory/index/sqlite"
)

// Scrub leaves in the database's files, and in memory, no byte of what is in no
// table any more. It writes the whole database anew, by way of memory: two
// seconds for each 100 MB. What stands in the way, a full disk or somebody
// reading, is unavailable, and the call can be made again.
func (db *DB) Scrub(ctx context.Context) error {
	// Merging the keyword index keeps words of deleted chunks, so it is made anew.
	if err := db.sql.Rewrite(ctx, "INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')"); err != nil {
		return sqlite.Wrap("sweep index", err)
	}
	return sqlite.Wrap("sweep index", db.lanes.rebuild(ctx, db))
}

// rebuild reads everything anew where anything is loaded: a shelf remembers the
// words of what was taken down.
func (l *follower) rebuild(ctx context.Context, db *DB) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	if !l.loaded() {
		return nil
	}
	// Whoever writes meanwhile waits to be followed, and is told of nothing before.
	s, m, at, err := l.build(ctx, db)
	if err != nil {
		s = nil // the tables answer alone
	}
	l.model, l.revision = m, at
	l.publish(db, s)
	l.setError(err)
	return err
}

// RawFiles shows the bytes of the database's files as they are on the disk: the
// database, its log, the log's index. Nobody else in this process may open them.
func (db *DB) RawFiles(look func(path string, r io.Reader) error) error { return db.sql.RawFiles(look) }

// QuickCheck looks the whole file over (0.25 s for 40 MB). What it finds is
// unavailable, and mended by opening the database again.
func (db *DB) QuickCheck(ctx context.Context) error { return db.sql.QuickCheck(ctx) }

// Optimize merges the keyword index, which makes queries faster by a quarter
// after much was written, and lets SQLite look its statistics over.
func (db *DB) Optimize(ctx context.Context) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		return tx.sql.Run("INSERT INTO memories_fts(memories_fts) VALUES ('optimize')", "PRAGMA optimize")
	})
}

// Checkpoint moves what the write-ahead log holds into the database and
// shortens the log. While somebody reads it moves what it can, which is no
// error.
func (db *DB) Checkpoint(ctx context.Context) error { return db.sql.Checkpoint(ctx) }

// Backup writes a copy of the database as it is now to path (mode 0600), whole
// or not at all. Others read and write meanwhile.
func (db *DB) Backup(ctx context.Context, path string) error { return db.sql.Backup(ctx, path) }
