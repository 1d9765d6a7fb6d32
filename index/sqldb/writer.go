package sqldb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"sync/atomic"

	"github.com/memory-tiered/memory"
)

// writer is the one connection that writes. turn holds one token, and whoever
// takes it may use the connection.
type writer struct {
	backend      Backend
	pipeline     Pipeline // nil: the backend has none
	pool         *sql.DB
	conn         *sql.Conn
	turn         chan struct{}
	closed       chan struct{}
	statements   map[string]*sql.Stmt // by the text before its translation
	translations map[string]string

	isHeld      atomic.Bool // another process has the right to write
	reconnected func()
}

func newWriter(ctx context.Context, b Backend, pool *sql.DB) (*writer, error) {
	pool.SetMaxOpenConns(1)
	w := &writer{backend: b, pool: pool, turn: make(chan struct{}, 1), closed: make(chan struct{}), translations: map[string]string{}}
	w.pipeline, _ = b.(Pipeline)
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	w.turn <- struct{}{}
	return w, nil
}

// connect takes a connection, on which no statement is prepared yet. If there is none, the
// former one stays, which is closed.
func (w *writer) connect(ctx context.Context) error {
	conn, err := w.pool.Conn(ctx)
	if w.isHeld.Store(errors.Is(err, ErrHeld)); err != nil {
		return err
	}
	w.conn, w.statements = conn, map[string]*sql.Stmt{}
	return nil
}

// exec executes statements in the SQL of the system, one after another.
func (w *writer) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := w.conn.ExecContext(ctx, s); err != nil {
			return Classify(w.backend, err)
		}
	}
	return nil
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
	if err := w.conn.Close(); !errors.Is(err, sql.ErrConnDone) { // it was lost
		errs = append(errs, err)
	}
	return errors.Join(append(errs, w.pool.Close())...)
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
type Writer struct{ w *writer }

// WithWriter calls fn while no transaction writes, and passes it the writing
// connection. Waiting for a running update ends with ctx.
func (db *DB) WithWriter(ctx context.Context, fn func(Writer) error) error {
	return db.inTurn(ctx, func() error { return db.NoteDamage(fn(Writer{db.write})) })
}

// Exec executes statements, one after another. Each may be a script.
func (w Writer) Exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if err := w.w.exec(ctx, w.w.backend.Translate(s)); err != nil {
			return err
		}
	}
	return nil
}

// One reads the first row of a query. No row is [sql.ErrNoRows].
func (w Writer) One(ctx context.Context, query string, args []any, to ...any) error {
	return Classify(w.w.backend, w.w.conn.QueryRowContext(ctx, w.w.backend.Translate(query), args...).Scan(to...))
}

// Prepare makes a database ready to be written, once it is known to be the right one. It
// may write to the file.
func (w Writer) Prepare(ctx context.Context) error { return w.w.backend.Prepare(ctx, w) }

// Header reads the header of the database.
func (w Writer) Header(ctx context.Context) (Header, error) {
	h, err := w.w.backend.Header(ctx, w.w.conn)
	return h, Classify(w.w.backend, err)
}

// QuickCheck looks for damage, as [DB.QuickCheck] does.
func (w Writer) QuickCheck(ctx context.Context) error { return w.w.backend.QuickCheck(ctx, w.w.conn) }

// Update runs fn in a transaction, which commits all of its changes or none.
// Transactions run one after another. Waiting for the turn ends with ctx. A
// context that ends while fn runs rolls the transaction back, between two
// statements. A full disk is [memory.ErrUnavailable], and nothing has changed.
// The commit does not wait for the disk: a loss of power may undo the last ones.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return db.inTurn(ctx, func() error { return db.update(ctx, false, fn) })
}

// UpdateDurably is [DB.Update], but the commit lasts through a loss of power. So do
// those before it.
func (db *DB) UpdateDurably(ctx context.Context, fn func(*Tx) error) error {
	return db.inTurn(ctx, func() error { return db.update(ctx, true, fn) })
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

// begin begins a transaction. It connects again if the connection was lost.
func (w *writer) begin(ctx context.Context, statements []string) error {
	err := w.exec(context.Background(), statements...)
	if !isFault(err, Lost) {
		return err
	}
	_ = w.conn.Close() // it is gone
	if err := w.connect(ctx); err != nil {
		return Classify(w.backend, err)
	}
	w.reconnected()
	return w.exec(context.Background(), statements...)
}

// update is called by who has the turn.
func (db *DB) update(ctx context.Context, durable bool, fn func(*Tx) error) (err error) {
	tx, committing := &Tx{w: db.write}, false
	begin, after := db.backend.Begin(durable)
	// If these fail, the next transactions are durable too.
	defer func() { _ = db.write.exec(context.Background(), after...) }()
	if err := db.write.begin(ctx, begin); err != nil {
		return Wrap("begin", db.NoteDamage(err))
	}
	defer func() {
		if p := recover(); p != nil {
			tx.rollBack()
			panic(p)
		}
		if err != nil {
			// After some failures (a full disk) SQLite has already rolled back, and
			// reports that no transaction is active. The cause is what matters.
			tx.rollBack()
			if committing {
				db.backend.CommitFailed(Writer{db.write})
			}
			err = Wrap("update index", db.NoteDamage(err))
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if err := cmp.Or(ctx.Err(), tx.flush()); err != nil {
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

// rollBack ends the transaction without its changes.
func (tx *Tx) rollBack() {
	tx.queue = nil
	_ = tx.Run("ROLLBACK") // the cause of the failure matters more
}
