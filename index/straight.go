package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// straight reads many rows from the driver itself. What database/sql does with
// every value of a row takes longer than reading it.
type straight struct {
	db   *sql.DB
	conn *sql.Conn
}

// readStraight opens a connection of its own, which takes nothing from those that
// answer, and gives its cache and what it has mapped back when it is closed. All
// that it reads is as it was at one moment.
func (db *DB) readStraight(ctx context.Context) (_ *straight, err error) {
	pool, err := openReaders(db.path, "rw", 1)
	if err != nil {
		return nil, err
	}
	s := &straight{db: pool}
	if s.conn, err = pool.Conn(ctx); err == nil {
		_, err = s.conn.ExecContext(ctx, "BEGIN")
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// close ends the transaction with its connection.
func (s *straight) close() error {
	if s.conn == nil {
		return s.db.Close()
	}
	return errors.Join(s.conn.Close(), s.db.Close())
}

// each reads every row of a query, into the same values again and again.
func (s *straight) each(ctx context.Context, query string, args []driver.NamedValue, row func([]driver.Value) error) error {
	return s.conn.Raw(func(raw any) (err error) {
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
}

// What a value is; NULL is nothing.
func textIn(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func numberIn(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func hashIn(v driver.Value) (h hash) {
	b, _ := v.([]byte)
	copy(h[:], b)
	return h
}
