package sqlite

import (
	"context"
	"database/sql"
)

// Header identifies a database file: which program made it, with which version
// of the schema, and how many tables, indexes and views it has.
type Header struct {
	ApplicationID, UserVersion, Objects int
}

// Header reads the header, through the writer if there is one.
func (db *DB) Header(ctx context.Context) (h Header, err error) {
	read := db.read.QueryRowContext
	if db.write != nil {
		read = db.write.conn.QueryRowContext
	}
	for _, field := range []struct {
		query string
		to    *int
	}{
		{"PRAGMA application_id", &h.ApplicationID},
		{"PRAGMA user_version", &h.UserVersion},
		{"SELECT count(*) FROM sqlite_schema", &h.Objects},
	} {
		if err := read(ctx, field.query).Scan(field.to); err != nil {
			return h, err
		}
	}
	return h, nil
}

// rowQuerier is a connection or a pool of them.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
