package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Tx is a transaction that writes. It is valid only inside the function that
// [DB.Update] passes it to.
type Tx struct {
	Now time.Time // fixed for the whole transaction

	sql          *sqlite.Tx
	db           *DB
	revision     int64     // of this transaction, once it has changed something; else 0
	models       *[2]model // the one that serves and the next, once they were asked for
	marksChanged bool      // what is forgotten for every copy changed
}

// Update is the only way to write: fn does all of it or nothing. Transactions
// come one after another; waiting for its turn ends with ctx, and so does the
// transaction, between two statements. A full disk is unavailable, with nothing
// changed.
func (db *DB) Update(ctx context.Context, now time.Time, fn func(*Tx) error) error {
	return db.sql.Update(ctx, func(t *sqlite.Tx) error {
		tx := &Tx{Now: now, sql: t, db: db}
		if err := fn(tx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if tx.marksChanged {
			// Before the commit: what is forgotten stays so whichever of the two comes last.
			if err := db.writeForgottenFile(tx); err != nil {
				return err
			}
		}
		if tx.revision != 0 {
			t.AfterCommit(func() { db.lanes.follow(context.WithoutCancel(ctx), db) })
		}
		return nil
	})
}

// noteChanged notes that a memory is not what it was, under this transaction's
// revision.
func (tx *Tx) noteChanged(ids ...memory.ID) error {
	if len(ids) == 0 {
		return nil
	}
	if tx.revision == 0 {
		if err := tx.beginRevision(); err != nil {
			return err
		}
	}
	return tx.sql.Exec(`INSERT INTO changes(memory_id, revision) SELECT value, ? FROM json_each(?) WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision, sqlite.JSONList(ids))
}

func (tx *Tx) beginRevision() error {
	if err := tx.sql.Exec(`INSERT INTO meta(key, value) VALUES ('revision', '1')
		ON CONFLICT(key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`); err != nil {
		return err
	}
	return tx.sql.One(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'revision'`, nil, &tx.revision)
}
