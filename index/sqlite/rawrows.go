package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// RawReader reads many rows straight from the driver. The work that database/sql
// does for each value takes longer than reading the value.
type RawReader struct {
	db   *DB
	pool *sql.DB
	conn *sql.Conn
}

// OpenRawReader opens a connection of its own, so that other readers lose none.
// Closing it frees its cache. All of its queries see the same
// moment.
func (db *DB) OpenRawReader(ctx context.Context) (_ *RawReader, err error) {
	pool, err := openReaders(db.path, "rw", 1)
	if err != nil {
		return nil, err
	}
	r := &RawReader{db: db, pool: pool}
	if r.conn, err = pool.Conn(ctx); err == nil {
		_, err = r.conn.ExecContext(ctx, "BEGIN")
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close ends the transaction and closes the connection.
func (r *RawReader) Close() error {
	if r.conn == nil {
		return r.pool.Close()
	}
	return errors.Join(r.conn.Close(), r.pool.Close())
}

// Each calls row for every row of a query. It passes the same slice each time,
// with new values.
func (r *RawReader) Each(ctx context.Context, query string, args []driver.NamedValue, row func([]driver.Value) error) error {
	err := r.conn.Raw(func(raw any) (err error) {
		conn, ok := raw.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("read rows: %T takes no queries", raw)
		}
		rows, err := conn.QueryContext(ctx, query, args)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		values := make([]driver.Value, len(rows.Columns()))
		for {
			if err := rows.Next(values); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if err := row(values); err != nil {
				return err
			}
		}
	})
	return r.db.NoteDamage(err)
}
