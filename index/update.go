package index

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// Tx is a transaction that writes. It is valid only inside the function that
// [DB.Update] passes it to.
type Tx struct {
	Now time.Time // fixed for the whole transaction
	*journal.Writer

	sql     *sqldb.Tx
	vectors *vectors.Tx
	changes *rows.Tx
	applied bool                                      // a batch, which may change lines
	follow  func(ctx context.Context, revision int64) // brings the index in memory up to date
	catalog sqldb.Catalog                             // of all tables; nil until an import needs it
}

// Update is the only way to write. It runs fn in a transaction, which commits all
// of its changes or none. Transactions run one after another. Waiting for the turn
// ends with ctx. A context that ends while fn runs rolls the transaction back. A
// full disk is [memory.ErrUnavailable], and nothing has changed. A loss of power may
// undo the last transactions.
func (db *DB) Update(ctx context.Context, now time.Time, fn func(*Tx) error) error {
	return db.sql.Update(ctx, db.transaction(ctx, now, fn))
}

// BeginIntent begins an intent in a transaction that lasts through a loss of power: the
// files that change next last through it too.
func (db *DB) BeginIntent(ctx context.Context, now time.Time, intent Intent) error {
	return db.sql.UpdateDurably(ctx, db.transaction(ctx, now, func(tx *Tx) error { return tx.BeginIntent(intent) }))
}

// transaction returns a transaction of [DB.Update].
func (db *DB) transaction(ctx context.Context, now time.Time, fn func(*Tx) error) func(*sqldb.Tx) error {
	return func(t *sqldb.Tx) error {
		tx := db.in(t, now)
		if err := fn(tx); err != nil {
			return err
		}
		if err := tx.changes.FollowSources(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// Before the commit: if either write is lost, the text stays forgotten.
		if err := tx.changes.Marks.WriteChanged(); err != nil {
			return err
		}
		t.AfterCommit(func() {
			if tx.applied || tx.changes.Marks.Changed() || tx.changes.HasResolved() {
				db.hidden.Clear()
			}
			if revision := tx.changes.Revision(); revision != 0 {
				tx.follow(context.WithoutCancel(ctx), revision)
			}
		})
		return nil
	}
}

// in returns the parts of the database inside a transaction.
func (db *DB) in(t *sqldb.Tx, now time.Time) *Tx {
	tx := &Tx{Now: now, sql: t,
		follow: func(ctx context.Context, _ int64) { db.Follow(ctx) }}
	tx.vectors = vectors.In(t, tx, db.maker.Load())
	tx.changes = rows.In(t, marks.In(t, tx, db.forgottenPath), tx.vectors, now)
	tx.Writer = journal.In(t, tx.changes, now)
	return tx
}

// Apply writes everything that one reading of changed files has found, in one
// transaction. Applying a batch twice has the same effect as applying it once, if it has
// no Shifts.
func (db *DB) Apply(ctx context.Context, now time.Time, b memory.Batch) error {
	return db.Update(ctx, now, func(tx *Tx) error { return tx.Apply(b) })
}

// SetMeta stores a value under a key, such as "last_index" or "last_decay_run".
func (tx *Tx) SetMeta(key, value string) error {
	return tx.sql.Exec(`INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`,
		key, value)
}

// Meta returns the value of a key, or the empty string if it has none.
func (tx *Tx) Meta(key string) (value string, err error) {
	err = tx.sql.One("SELECT value FROM meta WHERE key = ?", []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
