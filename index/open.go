package index

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Options configures [Open]. The zero value suits a service.
type Options struct {
	ReadOnly   bool      // another process owns the database; never write to it or repair it
	Readers    int       // reading connections; 0: one per processor
	Backup     string    // path of the last backup, from which a corrupt database is restored
	Now        time.Time // the current time; a corrupt database that is set aside is named after it
	NoInMemory bool      // keep no search index in memory: slower, for small machines
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	*query.Searcher // answers queries

	sql            *sqlite.DB
	notices        []string
	closing        sync.Once
	currentContext sqlite.Cache[memory.Context]
}

// Open opens the database at path, or creates it (mode 0600, its folder 0700). It
// refuses a database of a newer version and leaves it alone. It sets a corrupt file
// aside and creates a new database with the rows that it can read.
// [DB.Notices] then lists what was lost, and every memory is missing until its file
// has been read again.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.ReadOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, memory.Unavailable(err, "no index yet at %s", path)
		}
		return openOnce(ctx, path, o)
	}
	db, err := openOnce(ctx, path, o)
	if err == nil {
		sqlite.RemoveTemp(db.forgottenFilePath(), o.Backup)
	}
	if !sqlite.IsCorrupt(err) {
		return db, err
	}
	aside, err := sqlite.SetAside(path, o.Now)
	if err != nil {
		return nil, sqlite.Wrap("set corrupt database aside", err)
	}
	if db, err = openOnce(ctx, path, o); err != nil {
		return nil, err
	}
	db.notices, err = db.salvage(ctx, aside, o)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openOnce opens the database without repairing it.
func openOnce(ctx context.Context, path string, o Options) (*DB, error) {
	conns, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: o.ReadOnly, Readers: o.Readers, Functions: query.Functions})
	if err != nil {
		return nil, err
	}
	db := &DB{Searcher: query.New(conns, o.NoInMemory), sql: conns}
	prepare := db.prepare
	if o.ReadOnly {
		prepare = db.checkVersion
	}
	if err := prepare(ctx); err != nil {
		return nil, errors.Join(sqlite.Wrap("open database "+path, err), conns.Close())
	}
	return db, nil
}

// Close closes every connection. A second call does nothing. A database that was
// closed needs no check when it is opened again.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		var marked error
		if !db.sql.ReadOnly() {
			marked = db.markClean()
		}
		err = errors.Join(marked, db.sql.Close())
	})
	return err
}

// Notices lists what a person should know about how the database was opened: that
// it was created again, and what was lost.
func (db *DB) Notices() []string { return db.notices }

// Path returns the path of the database file.
func (db *DB) Path() string { return db.sql.Path() }
