package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // makes vec0 known to every connection

	"github.com/memory-tiered/memory"
)

// Options says how to open a database. The zero value is what a service wants.
type Options struct {
	ReadOnly bool      // beside the process that owns it: never writes, never repairs
	Readers  int       // connections that read; 0: one a core
	Backup   string    // the last backup, where durable rows are looked for when the database is corrupt
	Now      time.Time // names a database that is set aside; zero: the system's clock

	// NoInMemory keeps no copy of words and vectors in memory: slower, for small machines.
	NoInMemory bool

	// Scan answers vector queries by the scan in-process even where vec0 serves.
	Scan bool
}

// DB is an open database. Safe for concurrent use.
type DB struct {
	path     string
	readOnly bool
	notices  []string
	closing  sync.Once

	read  *sql.DB
	write *writer // nil if read-only

	statements statements // of read
	frequency  frequencies
	scan       scan
	forceScan  bool
	lanes      lanes
	lean       bool

	commits atomic.Int64 // that were made, or tried
	serves  remembered[model]
	slot    remembered[memory.Context]
	usual   remembered[total]

	rawMu sync.Mutex
	raw   map[string]*os.File // what [DB.RawFiles] has opened, by path
	stale []*os.File          // likewise, of files that are no more
}

// maxWAL is how large the write-ahead log may stay after a checkpoint. Beyond
// it the space goes back to the file system.
const maxWAL = 64 << 20

// processWide is what SQLite can only be told once and before the first open:
// locks that survive somebody closing the database file, and one pragma a value.
var processWide = sync.OnceFunc(func() {
	_, _ = sqlite.OFDLocking(true) // Linux only; elsewhere POSIX locks stay, and nothing of ours opens the file
	sqlite.StrictPragmas(true)
	registerFunctions()
})

// Open opens the database at path, or makes it (mode 0600, its folder 0700).
// One of a newer version is refused and left alone. One that is no database, or
// corrupt, is set aside beside its place and made anew with what could be saved;
// [DB.Notices] says what was lost, and every memory is missing until its file
// has been read again.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	processWide()
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if o.ReadOnly {
		return openReadOnly(ctx, path, o)
	}
	if err := create(path); err != nil {
		return nil, failed("create database "+path, err)
	}
	db, err := openWritable(ctx, path, o)
	if err == nil {
		sweep(db.mirrorPath(), o.Backup)
	}
	if !isCorrupt(err) {
		return db, err
	}
	aside, err := setAside(path, o.Now)
	if err != nil {
		return nil, failed("set corrupt database aside", err)
	}
	if err := create(path); err != nil {
		return nil, failed("create database "+path, err)
	}
	if db, err = openWritable(ctx, path, o); err != nil {
		return nil, err
	}
	db.notices, err = db.salvage(ctx, aside, o)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func openWritable(ctx context.Context, path string, o Options) (*DB, error) {
	w, err := openWriter(ctx, path)
	if err != nil {
		return nil, failed("open database "+path, err)
	}
	db := &DB{path: path, write: w, forceScan: o.Scan, lean: o.NoInMemory}
	if err := db.prepare(ctx); err != nil {
		return nil, errors.Join(failed("open database "+path, err), w.close())
	}
	if db.read, err = openReaders(path, "rw", o.Readers); err != nil {
		return nil, errors.Join(failed("open database "+path, err), w.close())
	}
	return db, nil
}

// openReadOnly serves beside an owner. A folder that cannot be written has no
// shared-memory file: then nobody else can be writing either.
func openReadOnly(ctx context.Context, path string, o Options) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, memory.Unavailable(err, "no index yet at %s", path)
	}
	db, err := tryReadOnly(ctx, path, "ro", o)
	if isCode(err, codeCantOpen, codeReadOnly) || isFull(err) {
		// Without a write-ahead log, or with an empty one, the file is all there is.
		if log, noLog := os.Stat(path + "-wal"); errors.Is(noLog, fs.ErrNotExist) || noLog == nil && log.Size() == 0 {
			return tryReadOnly(ctx, path, "ro&immutable=1", o)
		}
	}
	return db, err
}

func tryReadOnly(ctx context.Context, path, mode string, o Options) (*DB, error) {
	read, err := openReaders(path, mode, o.Readers)
	if err != nil {
		return nil, failed("open database "+path, err)
	}
	db := &DB{path: path, readOnly: true, read: read, forceScan: o.Scan, lean: o.NoInMemory}
	if err := db.checkVersion(ctx); err != nil {
		return nil, errors.Join(failed("open database "+path, err), read.Close())
	}
	return db, nil
}

// create makes an empty file with the right mode, which -wal and -shm follow.
// An existing file is never opened: closing it would drop SQLite's locks on it.
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

// dsn writes path and parameters as a URI: a plain path would be cut at '?'.
func dsn(path, mode string, pragmas ...string) string {
	q := url.Values{"_dqs": {"0"}, "_defensive": {"1"}}
	q["_pragma"] = append([]string{"busy_timeout(5000)", "temp_store(MEMORY)"}, pragmas...)
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return u.String() + "?mode=" + mode + "&" + q.Encode()
}

func openReaders(path, mode string, n int) (*sql.DB, error) {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	// 4 MiB of cache a connection: the pages themselves are mapped. 1 GiB of map
	// is address space, not memory.
	db, err := sql.Open("sqlite", dsn(path, mode, "query_only(1)", "cache_size(-4096)", "mmap_size(1073741824)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// unmap closes the readers that rest. New ones map only what they read.
func (db *DB) unmap() {
	n := db.read.Stats().MaxOpenConnections
	db.read.SetMaxIdleConns(-1)
	db.read.SetMaxIdleConns(n)
}

// Close ends every connection, once. A database closed so need not be checked
// when it is opened again.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		var marked error
		if db.write != nil {
			marked = db.markClean()
		}
		err = errors.Join(marked, db.disconnect())
	})
	return err
}

func (db *DB) disconnect() error {
	var errs []error
	if db.read != nil {
		db.statements.close()
		errs = append(errs, db.read.Close())
	}
	if db.write != nil {
		errs = append(errs, db.write.close())
	}
	errs = append(errs, db.closeRaw())
	return errors.Join(errs...)
}

// Notices says what a person should know of how the database was opened: that
// it was made anew, and what was lost.
func (db *DB) Notices() []string { return db.notices }

// Path is where the database stands.
func (db *DB) Path() string { return db.path }

// setAside renames a corrupt database and what belongs to it, and gives the new
// name.
func setAside(path string, now time.Time) (string, error) {
	base := path + ".corrupt-" + now.UTC().Format("20060102-150405")
	aside := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", base, i)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}
