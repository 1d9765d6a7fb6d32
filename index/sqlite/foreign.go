package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Foreign is a SQLite database of another program. It is only read.
type Foreign struct{ db *sql.DB }

// OpenForeign opens a database of another program. SQLite may write files beside it,
// so the path is that of a copy.
func OpenForeign(path string) (*Foreign, error) {
	setProcessWide()
	db, err := sql.Open("sqlite", dsn(path, "rw", "query_only(1)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &Foreign{db}, nil
}

// Close closes the database.
func (f *Foreign) Close() error { return f.db.Close() }

// Columns lists the columns of a table or a view. There are none if it does not exist.
func (f *Foreign) Columns(ctx context.Context, table string) (columns []string, err error) {
	rows, err := f.db.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	err = sqldb.EachRow(rows, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		columns = append(columns, name)
		return err
	})
	return columns, err
}

// Rows passes these columns of every row of a table to row, in the order of their
// insertion. A value is nil, an int64, a float64, a string or a []byte. Where the file is
// damaged, the error is [memory.ErrInvalid].
func (f *Foreign) Rows(ctx context.Context, table string, columns []string, row func(values []any) error) error {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = quoteName(c)
	}
	rows, err := f.db.QueryContext(ctx, "SELECT "+strings.Join(quoted, ", ")+" FROM "+quoteName(table)+" ORDER BY rowid")
	if err != nil {
		return err
	}
	values, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		to[i] = &values[i]
	}
	err = sqldb.EachRow(rows, func(scan func(...any) error) error {
		if err := scan(to...); err != nil {
			return err
		}
		return row(values)
	})
	if isCode(err, codeCorrupt, codeNotADB) {
		return memory.Invalid("path", "the database is damaged: %s", err)
	}
	return err
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
