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
// does for each value takes longer than reading the value. All of its queries see the same
// moment.
type RawReader struct {
	db   *DB
	pool *sql.DB // of its own; nil: the connection is one of the readers'
	conn *sql.Conn
}

// OpenRawReader opens a connection of its own, so that other readers lose none.
// Closing it frees its cache.
func (db *DB) OpenRawReader(ctx context.Context) (*RawReader, error) {
	pool, err := openReaders(db.path, "rw", 1)
	if err != nil {
		return nil, err
	}
	r, err := db.beginRaw(ctx, pool)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	r.pool = pool
	return r, nil
}

func (db *DB) beginRaw(ctx context.Context, pool *sql.DB) (*RawReader, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &RawReader{db: db, conn: conn}, nil
}

// Close ends the transaction, and closes a connection of its own.
func (r *RawReader) Close() error {
	_, err := r.conn.ExecContext(context.Background(), "ROLLBACK")
	err = errors.Join(err, r.conn.Close())
	if r.pool != nil {
		err = errors.Join(err, r.pool.Close())
	}
	return err
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
