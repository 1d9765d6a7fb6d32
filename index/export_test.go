package index

import (
	"context"
	"io/fs"
	"strconv"
	"time"

	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// LimitPages makes the disk as good as full: the database may not grow beyond
// what it has now, but for a few pages. Zero lifts it.
func (db *DB) LimitPages(more int) error {
	return db.sql.WithWriter(context.Background(), func(w sqldb.Writer) error {
		var pages int
		if err := w.One(context.Background(), "PRAGMA page_count", nil, &pages); err != nil {
			return err
		}
		limit := pages + more
		if more == 0 {
			limit = 1 << 30
		}
		return w.One(context.Background(), "PRAGMA max_page_count = "+strconv.Itoa(limit), nil, &limit)
	})
}

// Exec runs any statement on the writing connection.
func (db *DB) Exec(query string) error {
	return db.sql.WithWriter(context.Background(), func(w sqldb.Writer) error { return w.Exec(context.Background(), query) })
}

// Column gives the values of a query's one column, as text.
func (db *DB) Column(query string, args ...any) (out []string, err error) {
	err = db.sql.Read().Each(context.Background(), query, args, func(scan func(...any) error) error {
		var s string
		err := scan(&s)
		out = append(out, s)
		return err
	})
	return out, err
}

// CloseConnections leaves the database as a crash would: open in its own eyes.
func (db *DB) CloseConnections() (err error) {
	db.closing.Do(func() { err = db.sql.Close() })
	return err
}

// CheckWords lets FTS5 compare the keyword index with the chunks.
func (db *DB) CheckWords() error {
	return db.Exec("INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)")
}

// FrequentQueries run with every change or decision. They find the copies of a text and
// the decisions that are in no file. Each prompt reads the triggers.
var FrequentQueries = []string{rows.SelectCopies, rows.SelectPending, rows.SelectKept, query.SelectTriggered}

// Plan returns the steps of a query as SQLite plans them.
func (db *DB) Plan(query string, args ...any) (steps []string, err error) {
	err = db.sql.Read().Each(context.Background(), "EXPLAIN QUERY PLAN "+query, args, func(scan func(...any) error) error {
		var id, parent, unused int
		var step string
		err := scan(&id, &parent, &unused, &step)
		steps = append(steps, step)
		return err
	})
	return steps, err
}

// SchemaVersion is the present version, and Migration the name of a version's script.
const SchemaVersion = schemaVersion

func Migration(version int) string { return migration(version) }

// Migrate migrates an open database with the scripts of later versions.
func (db *DB) Migrate(scripts fs.FS, to int, now time.Time) error {
	return db.migrate(context.Background(), scripts, to, now)
}
