// Package sqlite opens an SQLite database as a [sqldb.DB]: the connections, its files, damage,
// backup, check and rewrite. It knows no table.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	modernc "modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // gives every connection the extension sqlite-vec

	"github.com/memory-tiered/memory/index/sqldb"
)

// Options configures [Open].
type Options struct {
	ReadOnly  bool             // another process owns the database; never write to it
	Readers   int              // reading connections; 0: one per processor
	Functions []sqldb.Function // SQL functions; the driver registers them for the whole process, so a name always has to mean the same
}

// DB is an open database file. It is safe for concurrent use.
type DB struct {
	*sqldb.DB
	path string
	read *sql.DB
}

// maxWAL is the size of the write-ahead log that a checkpoint may leave. The
// rest of the space goes back to the file system.
const maxWAL = 64 << 20

// checkpointPages is the size of the write-ahead log, in pages of 4 KiB, from which a
// commit moves it into the database. A first index writes the same pages again in
// each transaction, and 32 MiB collect many of these writes.
const checkpointPages = 8192

// setProcessWide makes the settings that SQLite takes once, before the first
// open. These are locks that survive when somebody closes the database file,
// and one pragma per value.
var setProcessWide = sync.OnceFunc(func() {
	_, _ = modernc.OFDLocking(true) // Linux only; other systems keep POSIX locks, and this process opens the file nowhere else
	modernc.StrictPragmas(true)
})

// registered holds the names of the functions that the driver knows.
var registered sync.Map

func register(functions []sqldb.Function) error {
	for _, f := range functions {
		if _, known := registered.LoadOrStore(f.Name, true); known {
			continue
		}
		err := modernc.RegisterDeterministicScalarFunction(f.Name, f.Args,
			func(_ *modernc.FunctionContext, args []driver.Value) (driver.Value, error) { return f.Call(args) })
		if err != nil {
			return fmt.Errorf("register function %s: %w", f.Name, err)
		}
	}
	return nil
}

// Open opens the database at path. It creates a missing database (mode 0600, its
// folder 0700), except with ReadOnly. It does not change an existing file: call
// [DB.UseWAL] once the file is known to be the right one.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	setProcessWide()
	if err := register(o.Functions); err != nil {
		return nil, err
	}
	if o.ReadOnly {
		return openReadOnly(ctx, path, o)
	}
	if err := create(path); err != nil {
		return nil, wrap("create database "+path, err)
	}
	db, err := connect(ctx, path, "rw", o)
	return db, wrap("open database "+path, err)
}

// connect opens the connections to a file.
func connect(ctx context.Context, path, mode string, o Options) (*DB, error) {
	read, err := openReaders(path, mode, o.Readers)
	if err != nil {
		return nil, err
	}
	f := &file{path: path}
	var write *sql.DB
	if !o.ReadOnly {
		if info, err := os.Stat(path); err == nil {
			f.opened = info
		}
		if write, err = openWriter(path); err != nil {
			return nil, errors.Join(err, read.Close())
		}
	}
	db, err := sqldb.New(ctx, f, read, write)
	if err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	return &DB{db, path, read}, nil
}

// openReadOnly opens a database that another process may own. SQLite needs a
// shared-memory file for the write-ahead log. Where the folder cannot be written
// and that file is missing, no other process writes, so the file is immutable.
func openReadOnly(ctx context.Context, path string, o Options) (*DB, error) {
	db, err := tryReadOnly(ctx, path, "ro", o)
	if isCode(err, codeCantOpen, codeReadOnly) || isFull(err) {
		// Without a write-ahead log, or with an empty one, the database file is complete.
		if log, noLog := os.Stat(path + "-wal"); errors.Is(noLog, fs.ErrNotExist) || noLog == nil && log.Size() == 0 {
			return tryReadOnly(ctx, path, "ro&immutable=1", o)
		}
	}
	return db, err
}

// tryReadOnly opens readers and reads the schema once: a connection opens the
// file only when it is used.
func tryReadOnly(ctx context.Context, path, mode string, o Options) (*DB, error) {
	db, err := connect(ctx, path, mode, o)
	if err == nil {
		if _, err = db.Header(ctx); err != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if err != nil {
		return nil, wrap("open database "+path, err)
	}
	return db, nil
}

// create makes an empty file with the right mode, which -wal and -shm inherit.
// It never opens an existing file, because closing it would drop SQLite's locks.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// busyTimeout is how long a connection waits for a lock of another one.
const busyTimeout = 5 * time.Second

// dsn writes path and parameters as a URI, because SQLite cuts a plain path at
// '?'.
func dsn(path, mode string, pragmas ...string) string {
	q := url.Values{"_dqs": {"0"}, "_defensive": {"1"}}
	q["_pragma"] = append([]string{fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "temp_store(MEMORY)"}, pragmas...)
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return u.String() + "?mode=" + mode + "&" + q.Encode()
}

func openReaders(path, mode string, n int) (*sql.DB, error) {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	// Pages are read, not mapped: a map of a file that somebody truncates kills the
	// process. A cache of 8 MiB makes up for the difference.
	db, err := sql.Open("sqlite", dsn(path, mode, "query_only(1)", "cache_size(-8192)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// openWriter opens a pool for the connection that writes.
func openWriter(path string) (*sql.DB, error) {
	// A cache of 32 MiB holds the inner pages of a large database.
	return sql.Open("sqlite", dsn(path, "rw", "synchronous(NORMAL)", "cache_size(-32768)",
		fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages),
		fmt.Sprintf("journal_size_limit(%d)", maxWAL)))
}

// OpenSource opens another database file to copy rows from, with one connection.
// It opens the file for writing, because SQLite has to apply the file's
// write-ahead log first.
func OpenSource(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, "rw"))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}
