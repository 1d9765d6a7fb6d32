package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Tx is a transaction that writes. It is valid only inside the function that
// [DB.Update] passes it to. Its statements take no context. SQLite rolls a
// transaction back when a statement in it is interrupted. So a statement that
// has begun runs to its end. [DB.Update] looks at the context after it.
type Tx struct {
	w           *writer
	queue       []Change // not sent yet; see [Pipeline]
	afterCommit func()
}

// AfterCommit calls fn once the transaction has committed, before the next one
// begins. It keeps one function.
func (tx *Tx) AfterCommit(fn func()) { tx.afterCommit = fn }

// prepare sends the statements of the queue, and returns the prepared statement of a query.
// Each is prepared once for the life of the connection.
func (tx *Tx) prepare(query string) (*sql.Stmt, error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	if s, ok := tx.w.statements[query]; ok {
		return s, nil
	}
	s, err := tx.w.conn.PrepareContext(context.Background(), tx.w.backend.Translate(query))
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", query, Classify(tx.w.backend, err))
	}
	tx.w.statements[query] = s
	return s, nil
}

// Run executes statements that are too rare to keep prepared. Each may be a script.
func (tx *Tx) Run(statements ...string) error {
	if err := tx.flush(); err != nil {
		return err
	}
	return Writer{tx.w}.Exec(context.Background(), statements...)
}

// Header reads the header of the database, as this transaction sees it.
func (tx *Tx) Header() (Header, error) {
	if err := tx.flush(); err != nil {
		return Header{}, err
	}
	return Writer{tx.w}.Header(context.Background())
}

// SetHeader sets the application and the version of the database.
func (tx *Tx) SetHeader(application, version int) error {
	if err := tx.flush(); err != nil {
		return err
	}
	return tx.w.exec(context.Background(), tx.w.backend.SetHeader(application, version)...)
}

// Exec executes a statement and keeps it prepared. With a server, a later call or the commit
// returns its error.
func (tx *Tx) Exec(query string, args ...any) error {
	if tx.w.pipeline != nil {
		return tx.enqueue(query, args)
	}
	_, err := tx.Count(query, args...)
	return err
}

// Count executes a statement, keeps it prepared and returns the number of rows
// that it changed.
func (tx *Tx) Count(query string, args ...any) (int64, error) {
	s, err := tx.prepare(query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, Classify(tx.w.backend, err)
	}
	return res.RowsAffected()
}

// One reads the first row of a query. No row is [sql.ErrNoRows].
func (tx *Tx) One(query string, args []any, to ...any) error {
	s, err := tx.prepare(query)
	if err != nil {
		return err
	}
	return Classify(tx.w.backend, s.QueryRowContext(context.Background(), args...).Scan(to...))
}

// Each calls row for every row of a query. row scans it.
func (tx *Tx) Each(query string, args []any, row func(scan func(...any) error) error) error {
	s, err := tx.prepare(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), args...)
	if err == nil {
		err = EachRow(rows, row)
	}
	return Classify(tx.w.backend, err)
}

// TxColumn returns the values of a query's one column, inside a transaction.
func TxColumn[T any](tx *Tx, query string, args ...any) (values []T, err error) {
	err = tx.Each(query, args, func(scan func(...any) error) error {
		var v T
		err := scan(&v)
		values = append(values, v)
		return err
	})
	return values, err
}

// EachRow calls row for every row of a result, and closes it.
func EachRow(rows *sql.Rows, row func(scan func(...any) error) error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
