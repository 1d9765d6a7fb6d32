package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
)

// writer is the one connection that writes. turn holds one token: who has it
// has the connection.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	turn       chan struct{}
	statements map[string]*sql.Stmt
}

func openWriter(ctx context.Context, path string) (*writer, error) {
	// 32 MiB of cache keep the inner pages of a large base at hand. No mmap here:
	// it slows bulk inserts into vec0 to a third.
	db, err := sql.Open("sqlite", dsn(path, "rw", "synchronous(NORMAL)", "cache_size(-32768)",
		fmt.Sprintf("journal_size_limit(%d)", maxWAL)))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w := &writer{db: db, conn: conn, turn: make(chan struct{}, 1), statements: map[string]*sql.Stmt{}}
	w.turn <- struct{}{}
	return w, nil
}

func (w *writer) close() error {
	<-w.turn // whoever writes finishes first, and nobody begins again
	var errs []error
	for _, s := range w.statements {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

// Tx is a transaction that writes. It is good only inside the function that
// [DB.Update] gave it to.
type Tx struct {
	Now time.Time // fixed for the whole transaction

	ctx      context.Context // never cancelled: a transaction ends by commit or rollback
	db       *DB
	w        *writer
	revision int64     // of this transaction, once it has changed something; else 0
	known    *[2]model // the one that serves and the next, once they were asked for
	remarked bool      // what is forgotten for every copy changed
}

// Update is the only way to write: fn does all of it or nothing. Transactions
// come one after another; waiting for its turn ends with ctx, and so does the
// transaction, between two statements. A full disk is unavailable, with nothing
// changed.
func (db *DB) Update(ctx context.Context, now time.Time, fn func(*Tx) error) (err error) {
	if db.readOnly {
		return memory.Unavailable(nil, "the index was opened to read only")
	}
	select {
	case <-db.write.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { db.write.turn <- struct{}{} }()

	tx := &Tx{Now: now, ctx: context.WithoutCancel(ctx), db: db, w: db.write}
	if _, err := tx.w.conn.ExecContext(tx.ctx, "BEGIN IMMEDIATE"); err != nil {
		return failed("begin", err)
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.rollback(nil)
			panic(p)
		}
		if err != nil {
			err = failed("update index", tx.rollback(err))
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if tx.remarked {
		// Before the commit: what is forgotten stays so whichever of the two comes last.
		if err := db.mirror(tx); err != nil {
			return err
		}
	}
	_, err = tx.w.conn.ExecContext(tx.ctx, "COMMIT")
	db.commits.Add(1) // even where it failed: nobody knows how much of it is there
	if err == nil && tx.revision != 0 {
		db.lanes.follow(tx.ctx, db)
	}
	return err
}

// rollback undoes everything. After some failures (a full disk) SQLite has done
// so by itself, and says that there is nothing to undo.
func (tx *Tx) rollback(cause error) error {
	_, err := tx.w.conn.ExecContext(tx.ctx, "ROLLBACK")
	if err != nil && cause == nil {
		return err
	}
	return cause
}

// stmt gives the prepared statement of a query; each is prepared once.
func (tx *Tx) stmt(query string) (*sql.Stmt, error) {
	if s, ok := tx.w.statements[query]; ok {
		return s, nil
	}
	s, err := tx.w.conn.PrepareContext(tx.ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", query, err)
	}
	tx.w.statements[query] = s
	return s, nil
}

func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.count(query, args...)
	return err
}

// count runs a statement and says how many rows it changed.
func (tx *Tx) count(query string, args ...any) (int64, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(tx.ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// scan reads one row. No row is sql.ErrNoRows.
func (tx *Tx) scan(query string, args []any, to ...any) error {
	s, err := tx.stmt(query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(tx.ctx, args...).Scan(to...)
}

// each reads every row of a query; row scans one.
func (tx *Tx) each(query string, args []any, row func(scan func(...any) error) error) error {
	s, err := tx.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(tx.ctx, args...)
	if err != nil {
		return err
	}
	return eachRow(rows, row)
}

func eachRow(rows *sql.Rows, row func(scan func(...any) error) error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// changed notes that a memory is not what it was, under this transaction's
// revision.
func (tx *Tx) changed(ids ...memory.ID) error {
	if len(ids) == 0 {
		return nil
	}
	if tx.revision == 0 {
		if err := tx.nextRevision(); err != nil {
			return err
		}
	}
	return tx.exec(`INSERT INTO changes(memory_id, revision) SELECT value, ? FROM json_each(?) WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision, list(ids))
}

func (tx *Tx) nextRevision() error {
	if err := tx.exec(`INSERT INTO meta(key, value) VALUES ('revision', '1')
		ON CONFLICT(key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`); err != nil {
		return err
	}
	return tx.scan(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'revision'`, nil, &tx.revision)
}
