package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memory-tiered/memory"
)

// writer is the one connection that writes. turn holds one token, and whoever
// takes it may use the connection.
type writer struct {
	pool       *sql.DB
	conn       *sql.Conn
	turn       chan struct{}
	closed     chan struct{}
	statements map[string]*sql.Stmt
}

func openWriter(ctx context.Context, path string) (*writer, error) {
	// A cache of 32 MiB holds the inner pages of a large database.
	pool, err := sql.Open("sqlite", dsn(path, "rw", "synchronous(NORMAL)", "cache_size(-32768)",
		fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages),
		fmt.Sprintf("journal_size_limit(%d)", maxWAL)))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	w := &writer{pool: pool, conn: conn, turn: make(chan struct{}, 1), closed: make(chan struct{}), statements: map[string]*sql.Stmt{}}
	w.turn <- struct{}{}
	return w, nil
}

// acquire waits for the connection until ctx ends or the writer is closed.
func (w *writer) acquire(ctx context.Context) error {
	select {
	case <-w.turn:
		return nil
	case <-w.closed:
		return errClosed(sql.ErrConnDone)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) release() { w.turn <- struct{}{} }

// close waits for a running update and keeps the token, so that none follows.
func (w *writer) close() error {
	<-w.turn
	close(w.closed)
	var errs []error
	for _, s := range w.statements {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.pool.Close())...)
}

// errClosed reports that the database is closed, such as while it is being replaced.
func errClosed(cause error) error {
	return memory.Unavailable(cause, "the index has been closed").WithHint("try again in a moment")
}

// errReadOnly refuses to write.
func errReadOnly() error {
	return memory.Unavailable(nil, "the index is open for reading only")
}

// Writer is the connection that writes, outside of any transaction.
type Writer struct{ conn *sql.Conn }

// WithWriter calls fn while no transaction writes, and passes it the writing
// connection. Waiting for a running update ends with ctx.
func (db *DB) WithWriter(ctx context.Context, fn func(Writer) error) error {
	return db.inTurn(ctx, func() error { return db.NoteDamage(fn(Writer{db.write.conn})) })
}

// Exec executes statements, one after another.
func (w Writer) Exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := w.conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// One reads the first row of a query. No row is [sql.ErrNoRows].
func (w Writer) One(ctx context.Context, query string, args []any, to ...any) error {
	return w.conn.QueryRowContext(ctx, query, args...).Scan(to...)
}

// UseWAL switches the database to a write-ahead log. It writes to the file.
func (w Writer) UseWAL(ctx context.Context) error { return w.Exec(ctx, "PRAGMA journal_mode = WAL") }

// QuickCheck checks the whole file, as [DB.QuickCheck] does.
func (w Writer) QuickCheck(ctx context.Context) error {
	return check(ctx, w.conn, "PRAGMA quick_check(1)")
}

// Update runs fn in a transaction, which commits all of its changes or none.
// Transactions run one after another. Waiting for the turn ends with ctx. A
// context that ends while fn runs rolls the transaction back, between two
// statements. A full disk is [memory.ErrUnavailable], and nothing has changed.
// The commit does not wait for the disk: a loss of power may undo the last ones.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return db.inTurn(ctx, func() error { return db.update(ctx, fn) })
}

// UpdateDurably is [DB.Update], but the commit lasts through a loss of power. So do
// those before it.
func (db *DB) UpdateDurably(ctx context.Context, fn func(*Tx) error) error {
	return db.inTurn(ctx, func() error {
		w := Writer{db.write.conn}
		if err := w.Exec(ctx, "PRAGMA synchronous = FULL"); err != nil {
			return Wrap("begin", err)
		}
		// If this fails, the next commits wait for the disk too.
		defer func() { _ = w.Exec(context.WithoutCancel(ctx), "PRAGMA synchronous = NORMAL") }()
		return db.update(ctx, fn)
	})
}

// inTurn calls fn while no transaction writes.
func (db *DB) inTurn(ctx context.Context, fn func() error) error {
	if db.write == nil {
		return errReadOnly()
	}
	if err := db.write.acquire(ctx); err != nil {
		return err
	}
	defer db.write.release()
	return fn()
}

// overwriteCommit writes a commit without a change over one that failed. The log may contain
// that one whole, if only the wait for the disk failed. Then the next start would read it.
func (tx *Tx) overwriteCommit() {
	var version int
	if tx.One("PRAGMA user_version", nil, &version) == nil {
		_ = tx.Run(fmt.Sprintf("PRAGMA user_version = %d", version)) // a disk that fails again is the error that is reported
	}
}

// update is called by who has the turn.
func (db *DB) update(ctx context.Context, fn func(*Tx) error) (err error) {
	tx, committing := &Tx{w: db.write}, false
	if err := tx.Run("BEGIN IMMEDIATE"); err != nil {
		return Wrap("begin", db.NoteDamage(err))
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Run("ROLLBACK")
			panic(p)
		}
		if err != nil {
			// After some failures (a full disk) SQLite has already rolled back, and
			// reports that no transaction is active. The cause is what matters.
			_ = tx.Run("ROLLBACK")
			if committing {
				tx.overwriteCommit()
			}
			err = Wrap("update index", db.NoteDamage(err))
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	committing = true
	err = tx.Run("COMMIT")
	db.commits.Add(1)
	if err == nil && tx.afterCommit != nil {
		tx.afterCommit()
	}
	return err
}
