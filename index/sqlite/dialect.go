package sqlite

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/memory-tiered/memory/index/sqldb"
)

// file is a database file, as the backend of a [sqldb.DB].
type file struct {
	path   string
	opened os.FileInfo // of the file at path; nil if unknown or only read
	sawLog atomic.Bool // the write-ahead log exists, as it does until it is closed
	files  rawFiles
}

var _ sqldb.Backend = (*file)(nil)

// Translate returns the statement: what the packages above write is SQLite's.
func (*file) Translate(statement string) string { return statement }

// Fault classifies the errors of SQLite.
func (*file) Fault(err error) sqldb.Fault { return faultOf(err) }

// Begin begins with the lock to write. The commit waits for the disk only if it has to
// last; then the commits before it last too. If the level cannot be set back, the next
// transactions wait for the disk too.
func (*file) Begin(durable bool) (begin, after []string) {
	if durable {
		return []string{"PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"}, []string{"PRAGMA synchronous = NORMAL"}
	}
	return []string{"BEGIN IMMEDIATE"}, nil
}

// CommitFailed writes a commit without a change over one that failed. The log may contain
// that one whole, if only the wait for the disk failed. Then the next start would read it.
func (*file) CommitFailed(w sqldb.Writer) {
	var version int
	if w.One(context.Background(), "PRAGMA user_version", nil, &version) == nil {
		// A disk that fails again is the error that is reported.
		_ = w.Exec(context.Background(), fmt.Sprintf("PRAGMA user_version = %d", version))
	}
}

// Header reads the header of the file.
func (*file) Header(ctx context.Context, q sqldb.Querier) (h sqldb.Header, err error) {
	for _, field := range []struct {
		query string
		to    *int
	}{
		{"PRAGMA application_id", &h.ApplicationID},
		{"PRAGMA user_version", &h.UserVersion},
		{"SELECT count(*) FROM sqlite_schema", &h.Objects},
	} {
		if err := q.QueryRowContext(ctx, field.query).Scan(field.to); err != nil {
			return h, err
		}
	}
	return h, nil
}

// Catalog returns a query for the columns of all tables but the shadow tables of FTS5, which
// have tokens and no texts.
func (*file) Catalog() string {
	return `SELECT t.name, c.name, c.type = 'TEXT', false FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid`
}

// SetHeader returns the statements that write the header.
func (*file) SetHeader(application, version int) []string {
	return []string{fmt.Sprintf("PRAGMA application_id = %d", application), fmt.Sprintf("PRAGMA user_version = %d", version)}
}

// Prepare switches the database to a write-ahead log. It writes to the file.
func (*file) Prepare(ctx context.Context, w sqldb.Writer) error {
	return w.Exec(ctx, "PRAGMA journal_mode = WAL")
}

// Size returns the size of the file's pages.
func (*file) Size(ctx context.Context, q sqldb.Querier) (n int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()").Scan(&n)
	return n, err
}

// FreeMemory gives up the cache of the connection that writes.
func (*file) FreeMemory(ctx context.Context, w sqldb.Writer) {
	_ = w.Exec(ctx, "PRAGMA shrink_memory") // it only saves memory
}

// IsFree returns false: a lock on the state folder decides who writes.
func (*file) IsFree(context.Context, sqldb.Querier) (bool, error) { return false, nil }

// OnServer returns false.
func (*file) OnServer() bool { return false }

// Path returns the path of the file.
func (f *file) Path() string { return f.path }

// Close closes the files that were opened to read their bytes.
func (f *file) Close() error { return f.files.close() }
