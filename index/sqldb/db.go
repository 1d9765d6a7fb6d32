// Package sqldb is a database as the packages of index use it. One connection writes, and
// several only read. The package owns transactions, prepared statements, column types and the
// kinds of errors. It knows no table and no database system: a [Backend], such as that of
// index/sqlite, is one.
//
// [DB.Update] is the only way to write, and updates run one after another.
// Readers never wait for it: [DB.Read] sees the last commit, [DB.Snapshot] sees
// one moment for several queries.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	backend Backend
	read    *sql.DB
	write   *writer // nil if read-only

	statements statements // of read
	commits    atomic.Int64
	damage     atomic.Pointer[error] // the first error that reported damage
	closed     atomic.Bool
	closing    sync.Once

	onReconnect func()
}

// New returns a database. read is a pool of connections that read; each transaction of one
// sees one moment. write is a pool for the connection that writes; nil: the database is
// only read. If New fails, the caller closes both.
func New(ctx context.Context, b Backend, read, write *sql.DB) (*DB, error) {
	db := &DB{backend: b, read: read, statements: statements{dialect: b}}
	if write == nil {
		return db, nil
	}
	var err error
	db.write, err = newWriter(ctx, b, write)
	if err == nil {
		db.write.reconnected = db.noteOthers
	}
	return db, Classify(b, err)
}

// Path returns the path of the database file, or the name of the database on a server.
func (db *DB) Path() string { return db.backend.Path() }

// OnServer reports whether a server has the data, which keeps its files and makes its backups.
func (db *DB) OnServer() bool { return db.backend.OnServer() }

// ReadOnly reports whether the database is only read.
func (db *DB) ReadOnly() bool { return db.write == nil }

// Commits counts the transactions that were committed, or whose commit failed,
// since the database was opened. A failed commit counts because it may have
// changed the database.
func (db *DB) Commits() int64 { return db.commits.Load() }

// Header reads the header, through the writer if there is one.
func (db *DB) Header(ctx context.Context) (Header, error) {
	h, err := db.backend.Header(ctx, db.querier())
	return h, db.classify(err)
}

// Size returns the number of bytes that the database has on disk.
func (db *DB) Size(ctx context.Context) (int64, error) {
	n, err := db.backend.Size(ctx, db.read)
	return n, db.NoteDamage(err)
}

// querier returns the connection that writes, or else one that reads.
func (db *DB) querier() Querier {
	if db.write != nil {
		return db.write.conn
	}
	return db.read
}

func (db *DB) classify(err error) error { return Classify(db.backend, err) }

// NoteDamage records an error that reports damage, and returns it with its kind. It only
// returns every other error. The first one marks the database for its next owner, too.
func (db *DB) NoteDamage(err error) error {
	err = db.classify(err)
	if IsCorrupt(err) && db.damage.CompareAndSwap(nil, &err) && !db.ReadOnly() {
		db.backend.MarkDamaged(err)
	}
	return err
}

// Damage returns the first error that reported damage since the database was
// opened, or nil.
func (db *DB) Damage() error {
	if err := db.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// IsLost reports whether somebody removed or replaced the database, or another process writes
// to it now.
func (db *DB) IsLost() bool {
	return !db.ReadOnly() && (db.write.isHeld.Load() || db.backend.IsLost())
}

// IsFree reports whether a database that is only read has lost the process that wrote to it.
func (db *DB) IsFree(ctx context.Context) bool {
	free, err := db.backend.IsFree(ctx, db.read)
	return err == nil && free && db.ReadOnly()
}

// Renew connects the writer to the server again if the connection was lost. It keeps other
// processes from writing: call it every second.
func (db *DB) Renew(ctx context.Context) {
	if db.write == nil || !db.OnServer() {
		return
	}
	select {
	case <-db.write.turn:
		defer db.write.release()
		_ = db.write.begin(ctx, []string{"SELECT 1"}) // IsLost reports another owner; an error returns with the next transaction
	default: // a transaction runs
	}
}

// OnReconnect calls fn whenever the writer has connected again. Another process may have
// written meanwhile. Call it before the first transaction.
func (db *DB) OnReconnect(fn func()) { db.onReconnect = fn }

// noteOthers ends what is cached.
func (db *DB) noteOthers() {
	db.commits.Add(1)
	if db.onReconnect != nil {
		db.onReconnect()
	}
}

// QuickCheck looks for damage. [IsCorrupt] reports whether it found any.
func (db *DB) QuickCheck(ctx context.Context) error {
	return db.NoteDamage(db.backend.QuickCheck(ctx, db.read))
}

// Checkpoint moves the content of a write-ahead log into the database and
// truncates the log. While another connection reads, it moves what it can, which
// is no error. A read-only database has nothing to do.
func (db *DB) Checkpoint(ctx context.Context) error {
	if db.write == nil {
		return nil
	}
	return Wrap("checkpoint", db.WithWriter(ctx, func(w Writer) error { return db.backend.Checkpoint(ctx, w) }))
}

// Backup writes a copy of the database to path (mode 0600), complete or not at
// all. Reading and writing go on meanwhile. If check is not nil, it gets the path of
// the copy first; its error keeps the file at path as it is.
func (db *DB) Backup(ctx context.Context, path string, check func(copied string) error) error {
	return db.NoteDamage(db.backend.Backup(ctx, db.read, path, check))
}

// Rewrite executes the statements, then writes every page again from the tables.
// Afterwards the files have no byte of a deleted row. A full disk or a reader that is in
// the way is [memory.ErrUnavailable], and the call can be repeated.
func (db *DB) Rewrite(ctx context.Context, statements ...string) error {
	return db.WithWriter(ctx, func(w Writer) error { return db.backend.Rewrite(ctx, w, statements...) })
}

// RawFiles passes the bytes on disk of each file of the database to read. No other code
// in this process may open them.
func (db *DB) RawFiles(read func(path string, r io.Reader) error) error {
	return db.backend.RawFiles(read)
}

// FreeMemory returns to the system what much work leaves: garbage, and the caches of
// connections. A cache takes twice the memory of its pages.
func (db *DB) FreeMemory() {
	n := db.read.Stats().MaxOpenConnections
	db.read.SetMaxIdleConns(-1)
	db.read.SetMaxIdleConns(n)
	if db.write != nil {
		db.backend.FreeMemory(context.Background(), Writer{db.write})
	}
	debug.FreeOSMemory()
}

// Close waits for a running update and closes every connection. A second call
// does nothing.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		db.closed.Store(true)
		db.statements.close()
		err = db.read.Close()
		if db.write != nil {
			err = errors.Join(err, db.write.close())
		}
		err = errors.Join(err, db.backend.Close())
	})
	return err
}
