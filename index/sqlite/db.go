// Package sqlite opens an SQLite database with one connection that writes and
// several that only read. It owns transactions, prepared statements, the meaning
// of SQLite's errors, and upkeep: checkpoint, backup, check and rewrite. It knows
// no table.
//
// [DB.Update] is the only way to write, and updates run one after another.
// Readers never wait for it: [DB.Read] sees the last commit, [DB.Snapshot] sees
// one moment for several queries.
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
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	modernc "modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // gives every connection the extension sqlite-vec
)

// Options configures [Open].
type Options struct {
	ReadOnly  bool       // another process owns the database; never write to it
	Readers   int        // reading connections; 0: one per processor
	Functions []Function // SQL functions that every connection needs
}

// Function is a deterministic SQL function. The driver registers functions for
// the whole process, so a name always has to mean the same function.
type Function struct {
	Name string
	Args int32
	Call func(args []driver.Value) (driver.Value, error)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path  string
	read  *sql.DB
	write *writer // nil if read-only

	statements statements // of read
	commits    atomic.Int64
	damage     atomic.Pointer[error] // the first error that reported damage
	opened     os.FileInfo           // of the file at path; nil if unknown
	sawLog     atomic.Bool           // the write-ahead log exists, as it does until it is closed
	closed     atomic.Bool
	files      rawFiles
	closing    sync.Once
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

func register(functions []Function) error {
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
		return nil, Wrap("create database "+path, err)
	}
	db := &DB{path: path}
	if info, err := os.Stat(path); err == nil {
		db.opened = info
	}
	var err error
	if db.write, err = openWriter(ctx, path); err == nil {
		db.read, err = openReaders(path, "rw", o.Readers)
	}
	if err != nil {
		return nil, errors.Join(Wrap("open database "+path, err), db.Close())
	}
	return db, nil
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
	db := &DB{path: path}
	var err error
	if db.read, err = openReaders(path, mode, o.Readers); err == nil {
		_, err = db.Header(ctx)
	}
	if err != nil {
		return nil, errors.Join(Wrap("open database "+path, err), db.Close())
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

// Path returns the path of the database file.
func (db *DB) Path() string { return db.path }

// ReadOnly reports whether the database was opened with [Options].ReadOnly.
func (db *DB) ReadOnly() bool { return db.write == nil }

// Commits counts the transactions that were committed, or whose commit failed,
// since the database was opened. A failed commit counts because it may have
// reached the disk.
func (db *DB) Commits() int64 { return db.commits.Load() }

// FreeMemory returns to the system what much work leaves: garbage, and the caches of
// connections. A cache takes twice the memory of its pages.
func (db *DB) FreeMemory() {
	n := db.read.Stats().MaxOpenConnections
	db.read.SetMaxIdleConns(-1)
	db.read.SetMaxIdleConns(n)
	if db.write != nil {
		_, _ = db.write.conn.ExecContext(context.Background(), "PRAGMA shrink_memory") // it only saves memory
	}
	debug.FreeOSMemory()
}

// Close waits for a running update and closes every connection. A second call
// does nothing.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		db.closed.Store(true)
		db.statements.close()
		if db.read != nil {
			err = db.read.Close()
		}
		if db.write != nil {
			err = errors.Join(err, db.write.close())
		}
		err = errors.Join(err, db.files.close())
	})
	return err
}
