package index

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/ageing"
	"github.com/memory-tiered/memory/index/chunks"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/uses"
	"github.com/memory-tiered/memory/index/vectors"
)

// Tx is a transaction that writes. It is valid only inside the function that
// [DB.Update] passes it to.
type Tx struct {
	Now time.Time // fixed for the whole transaction
	*journal.Writer
	*ageing.SweepWriter

	sql      *sqlite.Tx
	vectors  *vectors.Tx
	declared *declared.Tx
	rows     *rows.Tx
	uses     *uses.Tx
	chunks   *chunks.Tx
	db       *DB
	marks    *marks.Tx
	revision int64 // of this transaction; 0 until it changes a memory
}

// Update is the only way to write. It runs fn in a transaction, which commits all
// of its changes or none. Transactions run one after another. Waiting for the turn
// ends with ctx. A context that ends while fn runs rolls the transaction back. A
// full disk is [memory.ErrUnavailable], and nothing has changed.
func (db *DB) Update(ctx context.Context, now time.Time, fn func(*Tx) error) error {
	return db.sql.Update(ctx, func(t *sqlite.Tx) error {
		tx := &Tx{Now: now, Writer: journal.In(t, now), sql: t, declared: declared.In(t), rows: rows.In(t), db: db}
		tx.SweepWriter = ageing.In(tx, now)
		tx.vectors, tx.marks = vectors.In(t, tx), marks.In(t, tx, db.forgottenPath)
		tx.uses = uses.In(t, tx.rows, now)
		tx.chunks = chunks.In(t, tx.vectors)
		if err := fn(tx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// Before the commit: if either write is lost, the text stays forgotten.
		if err := tx.marks.WriteChanged(); err != nil {
			return err
		}
		t.AfterCommit(func() {
			if tx.marks.Changed() {
				db.headings.Clear()
			}
			if tx.revision != 0 {
				db.Follow(context.WithoutCancel(ctx))
			}
		})
		return nil
	})
}

// noteChanged notes the revision of this transaction for memories that it changed.
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

// noteAllChanged notes that every memory changed, so that copies in memory are
// read again.
func (tx *Tx) noteAllChanged() error {
	if err := tx.beginRevision(); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO changes(memory_id, revision) SELECT id, ? FROM memories WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision)
}

func (tx *Tx) beginRevision() error {
	if err := tx.sql.Exec(`INSERT INTO meta(key, value) VALUES ('revision', '1')
		ON CONFLICT(key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`); err != nil {
		return err
	}
	return tx.sql.One(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'revision'`, nil, &tx.revision)
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
