package index

import (
	"context"
	"database/sql"
	"sync"
)

// maxStatements is how many prepared queries readers keep. Filters make a few
// dozen shapes; what goes beyond is prepared each time.
const maxStatements = 256

// statements are the readers' prepared queries.
type statements struct {
	mu   sync.Mutex
	text map[string]*sql.Stmt
}

func (s *statements) get(ctx context.Context, db *sql.DB, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.text[query]; ok || len(s.text) >= maxStatements {
		return st, nil
	}
	st, err := db.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, err
	}
	if s.text == nil {
		s.text = map[string]*sql.Stmt{}
	}
	s.text[query] = st
	return st, nil
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.text {
		_ = st.Close() // the connections go next, and with them whatever this held
	}
	s.text = nil
}

// querier reads, in a transaction of its own if tx is set.
type querier struct {
	db *DB
	tx *sql.Tx
}

// each reads every row of a query; row scans one.
func (q querier) each(ctx context.Context, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := q.rows(ctx, query, args)
	if err != nil {
		return err
	}
	return eachRow(rows, row)
}

// rows prepares nothing inside a transaction: that would take a second
// connection while it holds one.
func (q querier) rows(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	if q.tx != nil {
		return q.tx.QueryContext(ctx, query, args...)
	}
	st, err := q.db.statements.get(ctx, q.db.read, query)
	if err != nil {
		return nil, err
	}
	if st == nil {
		return q.db.read.QueryContext(ctx, query, args...)
	}
	return st.QueryContext(ctx, args...)
}

// one reads a single row; none is sql.ErrNoRows.
func (q querier) one(ctx context.Context, query string, args []any, to ...any) error {
	found := false
	err := q.each(ctx, query, args, func(scan func(...any) error) error {
		found = true
		return scan(to...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// snapshot reads several things as they are at one moment.
func (db *DB) snapshot(ctx context.Context, fn func(querier) error) error {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it wrote nothing
	return fn(querier{db, tx})
}

// now reads outside of any transaction.
func (db *DB) now() querier { return querier{db: db} }
