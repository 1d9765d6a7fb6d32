package sqldb

import (
	"context"
	"database/sql"
	"sync"
)

// maxStatements is the number of prepared queries that readers keep. Filters
// make a few dozen different queries. Any query beyond the limit is prepared
// each time.
const maxStatements = 256

// statements are the prepared queries of the readers, by the text before its translation.
type statements struct {
	dialect Dialect
	mu      sync.Mutex
	text    map[string]*sql.Stmt
	once    map[string]bool // queries that one snapshot has used
}

// noteUse prepares a query at its second use: a single command uses most only once.
func (s *statements) noteUse(ctx context.Context, db *sql.DB, query string) {
	if s.isNew(query) {
		return
	}
	_, _ = s.get(ctx, db, query) // or the next snapshot does it
}

// isNew reports whether a query is used for the first time, and remembers it.
func (s *statements) isNew(query string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.once[query] || len(s.once) >= maxStatements {
		return false
	}
	if s.once == nil {
		s.once = map[string]bool{}
	}
	s.once[query] = true
	return true
}

// get returns the prepared statement of a query, or nil beyond the limit. It holds no lock
// while it waits for a connection: snapshots have all of them, and need the lock.
func (s *statements) get(ctx context.Context, db *sql.DB, query string) (*sql.Stmt, error) {
	if st, isFull := s.find(query); st != nil || isFull {
		return st, nil
	}
	st, err := db.PrepareContext(context.WithoutCancel(ctx), s.dialect.Translate(query))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.text[query]; known != nil {
		_ = st.Close() // another request was faster
		return known, nil
	}
	if s.text == nil {
		s.text = map[string]*sql.Stmt{}
	}
	s.text[query] = st
	return st, nil
}

// find returns the prepared statement of a query, or nil, and whether there are as many as are
// kept.
func (s *statements) find(query string) (st *sql.Stmt, isFull bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text[query], len(s.text) >= maxStatements
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.text {
		_ = st.Close() // the connections are closed next, and free all that this holds
	}
	s.text = nil
}

// Reader reads from the tables. [DB.Read] and [DB.Snapshot] return one.
type Reader struct {
	db       *DB
	tx       *sql.Tx   // nil: each query sees the last commit
	prepares *[]string // the queries to prepare after the snapshot
}

// Read returns a reader whose queries each see the last commit.
func (db *DB) Read() Reader { return Reader{db: db} }

// Snapshot calls fn with a reader whose queries all see the same moment. It prepares
// repeated queries afterwards: to do it meanwhile would take a second connection, and there
// may be none.
func (db *DB) Snapshot(ctx context.Context, fn func(Reader) error) error {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return db.classify(err)
	}
	var prepares []string
	defer func() {
		_ = tx.Rollback() // it wrote nothing
		for _, query := range prepares {
			db.statements.noteUse(ctx, db.read, query)
		}
	}()
	return fn(Reader{db, tx, &prepares})
}

// Each calls row for every row of a query. row scans it.
func (r Reader) Each(ctx context.Context, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := r.rows(ctx, query, args)
	if r.tx == nil && isFault(r.db.classify(err), Lost) {
		rows, err = r.rows(ctx, query, args) // another connection
	}
	if err == nil {
		err = EachRow(rows, row)
	}
	if err != nil && r.db.closed.Load() {
		return errClosed(err)
	}
	return r.db.NoteDamage(err)
}

func (r Reader) rows(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	if r.tx != nil {
		if st, _ := r.db.statements.find(query); st != nil {
			return r.tx.StmtContext(ctx, st).QueryContext(ctx, args...)
		}
		*r.prepares = append(*r.prepares, query)
		return r.tx.QueryContext(ctx, r.db.backend.Translate(query), args...)
	}
	st, err := r.db.statements.get(ctx, r.db.read, query)
	if err != nil {
		return nil, err
	}
	if st == nil {
		return r.db.read.QueryContext(ctx, r.db.backend.Translate(query), args...)
	}
	return st.QueryContext(ctx, args...)
}

// Column returns the values of a query's one column.
func Column[T any](ctx context.Context, r Reader, query string, args ...any) (values []T, err error) {
	err = r.Each(ctx, query, args, func(scan func(...any) error) error {
		var v T
		err := scan(&v)
		values = append(values, v)
		return err
	})
	return values, err
}

// One reads the only row of a query. No row is [sql.ErrNoRows].
func (r Reader) One(ctx context.Context, query string, args []any, to ...any) error {
	found := false
	err := r.Each(ctx, query, args, func(scan func(...any) error) error {
		found = true
		return scan(to...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}
