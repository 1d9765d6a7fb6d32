package index

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Options says how to open a database. The zero value is what a service wants.
type Options struct {
	ReadOnly bool      // beside the process that owns it: never writes, never repairs
	Readers  int       // connections that read; 0: one a core
	Backup   string    // the last backup, where durable rows are looked for when the database is corrupt
	Now      time.Time // names a database that is set aside, and dates what is missing then

	// NoInMemory keeps no copy of words and vectors in memory: slower, for small machines.
	NoInMemory bool
}

// DB is an open database. Safe for concurrent use.
type DB struct {
	sql     *sqlite.DB
	notices []string
	closing sync.Once

	idf        idfCache
	lanes      follower
	noInMemory bool

	servingModel   sqlite.Cache[model]
	currentContext sqlite.Cache[memory.Context]
	vectorSums     sqlite.Cache[vectorSum]
}

// Open opens the database at path, or makes it (mode 0600, its folder 0700).
// One of a newer version is refused and left alone. One that is no database, or
// corrupt, is set aside beside its place and made anew with what could be saved;
// [DB.Notices] says what was lost, and every memory is missing until its file
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

// openOnce opens the database as it is, and gives up where it is damaged.
func openOnce(ctx context.Context, path string, o Options) (*DB, error) {
	conns, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: o.ReadOnly, Readers: o.Readers, Functions: functions})
	if err != nil {
		return nil, err
	}
	db := &DB{sql: conns, noInMemory: o.NoInMemory}
	prepare := db.prepare
	if o.ReadOnly {
		prepare = db.checkVersion
	}
	if err := prepare(ctx); err != nil {
		return nil, errors.Join(sqlite.Wrap("open database "+path, err), conns.Close())
	}
	return db, nil
}

// Close ends every connection, once. A database closed so need not be checked
// when it is opened again.
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

// Notices says what a person should know of how the database was opened: that
// it was made anew, and what was lost.
func (db *DB) Notices() []string { return db.notices }

// Path is where the database stands.
func (db *DB) Path() string { return db.sql.Path() }
