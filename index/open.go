package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/postgres"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/repair"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/vectors"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// Options configures [Open]. The zero value suits a service.
type Options struct {
	ReadOnly   bool      // another process owns the database; never write to it or repair it
	Readers    int       // reading connections; 0: one per processor
	Backup     string    // path of the last backup, from which a corrupt database is restored
	Now        time.Time // the current time; a corrupt database that is set aside is named after it
	NoInMemory bool      // keep no search index in memory: slower, for small machines

	Server string // URL of a PostgreSQL database that has the index, in place of the file; empty: the file has it
	Schema string // of the index there; empty: [SchemaFile] names it

	// Fingerprint returns the fingerprint of a memory's text. It finds flipped bits.
	// nil: texts are not checked.
	Fingerprint func(text string) memory.Fingerprint
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	*query.Searcher  // answers queries
	*vectors.Store   // reads vectors and the texts that need one
	*journal.Journal // reads decisions, the audit and the receipts
	*rows.Reader     // reads what the files declare

	sql            *sqldb.DB
	path           string // of the file, or where it would be
	notices        []string
	closing        sync.Once
	fingerprint    func(text string) memory.Fingerprint
	forgottenPath  string // of the file with the marks of forgotten texts
	currentContext sqldb.Cache[map[string]memory.Context]
	hidden         marks.Cache // what views leave out
	maker          atomic.Pointer[vectors.Maker]
}

// Open opens the database at path, or creates it (mode 0600, its folder 0700). It
// refuses a database of a newer version and leaves it alone. It migrates one of an earlier
// release, and keeps a copy of that. It sets a damaged file
// aside, and one of a development version. Then it builds a new database from the rows
// that it can read and those of the backup. A missing database is built from its backup.
// [DB.Notices] then lists what was lost. Every memory is missing until its file has been
// read again.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.Server != "" {
		return openServer(ctx, path, o)
	}
	if o.ReadOnly {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
			return nil, notReady(path)
		case err != nil:
			return nil, memory.Unavailable(err, "open %s", path)
		}
		return openOnce(ctx, path, path, o)
	}
	_ = atomicfile.RemoveTemporary(path, ForgottenFile(path), folder.OwnerFile(path), o.Backup)
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		if sources := repair.SourcesOfMissing(path, o.Backup); len(sources) > 0 {
			return rebuild(ctx, path, o, sources, []string{"the database was gone; it is being rebuilt from the Markdown"})
		}
		return create(ctx, path, o)
	}
	var db *DB
	err := error(sqldb.ErrForeign)
	if !sqlite.IsMarkedDamaged(path) {
		db, err = openOnce(ctx, path, path, o)
	}
	if err == nil {
		return db, nil
	}
	if !sqldb.IsCorrupt(err) {
		return nil, err
	}
	reason := "was damaged"
	if errors.Is(err, errOutdated) {
		reason = "is of an older development version"
	}
	aside, err := sqlite.SetAside(path, o.Now)
	if err != nil {
		return nil, sqldb.Wrap("set corrupt database aside", err)
	}
	return rebuild(ctx, path, o, append([]repair.Source{{Name: "the database that was set aside", Path: aside}}, repair.Backup(o.Backup)...),
		[]string{fmt.Sprintf("the database %s and has been set aside as %s; it is being rebuilt from the Markdown", reason, aside)})
}

// create creates a database. If the file beside it with the forgotten texts is damaged,
// that is set aside.
func create(ctx context.Context, path string, o Options) (*DB, error) {
	aside, err := setMarksAside(path, o.Now)
	if err != nil {
		return nil, err
	}
	db, err := openOnce(ctx, path, path, o)
	if err == nil && aside != "" {
		db.notices = []string{asideNotice(aside)}
	}
	return db, err
}

// rebuild builds a new database from the sources and puts it at path when it is
// complete, so that a crash in between loses nothing.
func rebuild(ctx context.Context, path string, o Options, sources []repair.Source, notices []string) (*DB, error) {
	ctx = context.WithoutCancel(ctx) // an interrupted copy would look like damage
	file, hasMarks, hasAllMarks := sqlite.RebuildPath(path), marks.HasFile(ForgottenFile(path)), false
	aside, err := setMarksAside(path, o.Now)
	if err != nil {
		return nil, err
	}
	db, err := openOnce(ctx, file, path, o)
	if err != nil {
		return nil, err
	}
	err = db.Update(ctx, o.Now, func(tx *Tx) (err error) {
		var more []string
		more, hasAllMarks, err = repair.Salvage(ctx, tx.sql, tx.Now, sources, o.Fingerprint, hasMarks)
		notices = append(notices, more...)
		return errors.Join(err, tx.changes.Marks.Write())
	})
	if err = errors.Join(err, db.Close()); err == nil {
		err = sqldb.Wrap("rebuild the database", sqlite.Install(file, path))
	}
	switch {
	case err != nil:
		return nil, err
	case aside != "" && hasAllMarks:
		err = os.Remove(aside) // the damaged database had all that the file had
	case aside != "":
		notices = append(notices, asideNotice(aside))
	}
	if err != nil {
		return nil, err
	}
	if db, err = openOnce(ctx, path, path, o); err == nil {
		db.notices = notices
	}
	return db, err
}

// openOnce opens the database in a file without repairing it. path is where the
// database belongs.
func openOnce(ctx context.Context, file, path string, o Options) (*DB, error) {
	conns, err := sqlite.Open(ctx, file, sqlite.Options{ReadOnly: o.ReadOnly, Readers: o.Readers, Functions: query.Functions})
	if err != nil {
		return nil, err
	}
	db := newDB(conns.DB, path, o)
	err = db.begin(ctx, o)
	if !o.ReadOnly && isWritable(file) {
		err = sqldb.DamagedSchema(err)
	}
	if err != nil {
		return nil, errors.Join(sqldb.Wrap("open database "+file, err), conns.Close())
	}
	return db, nil
}

// ErrHeld reports that another process writes to the index on a server. Until that ends,
// [Options].ReadOnly opens it.
var ErrHeld = sqldb.ErrHeld

// openServer opens the schema of a workspace on a PostgreSQL server. The file with the marks of
// forgotten texts is beside path.
func openServer(ctx context.Context, path string, o Options) (*DB, error) {
	if !o.ReadOnly {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, sqldb.Wrap("make the folder of the index", err)
		}
	}
	schema := o.Schema
	if schema == "" {
		var err error
		if schema, err = schemaName(path, o.ReadOnly); err != nil {
			return nil, err
		}
	}
	conns, err := postgres.Open(ctx, postgres.Options{URL: o.Server, Schema: schema, ReadOnly: o.ReadOnly, Readers: o.Readers})
	if err != nil {
		return nil, err
	}
	db := newDB(conns, path, o)
	if !o.ReadOnly {
		var aside string
		if aside, err = setMarksAside(path, o.Now); aside != "" {
			db.notices = []string{asideNotice(aside)}
		}
	}
	if err == nil {
		err = db.begin(ctx, o)
	}
	if errors.Is(err, errOutdated) {
		err = memory.Unavailable(err, "open %s", conns.Path()).WithHint("drop the schema: the index is then built again from the Markdown")
	}
	if err != nil {
		return nil, errors.Join(sqldb.Wrap("open "+conns.Path(), err), conns.Close())
	}
	return db, nil
}

// SchemaFile returns the path of the file that names the schema of an index on a server. With
// that file and the URL, another state folder reads the same index.
func SchemaFile(path string) string { return path + ".schema" }

// schemaName reads the name of a schema, or makes one: two state folders share none by accident.
func schemaName(path string, readOnly bool) (string, error) {
	name, err := os.ReadFile(SchemaFile(path))
	switch {
	case err == nil && len(bytes.TrimSpace(name)) > 0:
		return string(bytes.TrimSpace(name)), nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", memory.Unavailable(err, "open %s", SchemaFile(path))
	case readOnly:
		return "", notReady(path)
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	made := "memory_" + hex.EncodeToString(random)
	return made, sqldb.Wrap("make a schema", atomicfile.Write(SchemaFile(path), []byte(made+"\n"), 0o600))
}

// newDB returns the parts of a database.
func newDB(conns *sqldb.DB, path string, o Options) *DB {
	db := &DB{Searcher: query.New(conns, o.NoInMemory), Store: vectors.New(conns), Journal: journal.New(conns), Reader: rows.NewReader(conns),
		sql: conns, path: path, fingerprint: o.Fingerprint, forgottenPath: ForgottenFile(path)}
	conns.OnReconnect(func() {
		db.hidden.Clear()
		db.Follow(context.Background())
	})
	return db
}

// begin checks the version, and prepares a database that is not only read.
func (db *DB) begin(ctx context.Context, o Options) error {
	if o.ReadOnly {
		return db.checkVersion(ctx)
	}
	return db.prepare(ctx, o.Now)
}

// isWritable reports whether the mode of a file allows to write it.
func isWritable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().Perm()&0o200 != 0
}

// Close closes every connection. A second call does nothing. A database that was
// closed needs no check when it is opened again.
func (db *DB) Close() (err error) {
	db.closing.Do(func() {
		var marked error
		if !db.sql.ReadOnly() && db.Damage() == nil && !db.IsLost() {
			marked = db.markClean()
		}
		err = errors.Join(marked, db.sql.Close())
	})
	return err
}

// Notices lists what a person should know about how the database was opened: that
// it was created again, and what was lost.
func (db *DB) Notices() []string { return db.notices }

// Path returns the path of the database file. With a server, files beside that path belong to
// the database.
func (db *DB) Path() string { return db.path }

// OnServer reports whether a server has the index, which keeps its files and makes its backups.
func (db *DB) OnServer() bool { return db.sql.OnServer() }

// Server returns the host, the database and the schema of an index on a server, or else the
// empty string.
func (db *DB) Server() string {
	if !db.OnServer() {
		return ""
	}
	return db.sql.Path()
}

// Foreign is a SQLite database of another program.
type Foreign = sqlite.Foreign

// OpenForeign opens a copy of a SQLite database of another program, to read it.
func OpenForeign(path string) (*Foreign, error) { return sqlite.OpenForeign(path) }

// setMarksAside renames the file with the forgotten texts if it is damaged, and returns its
// new path, or else the empty string.
func setMarksAside(path string, now time.Time) (string, error) {
	if !marks.IsDamaged(ForgottenFile(path)) {
		return "", nil
	}
	return sqlite.SetAside(ForgottenFile(path), now)
}

// asideNotice reports that the file with the forgotten texts was set aside.
func asideNotice(aside string) string {
	return fmt.Sprintf("the list of forgotten texts was damaged too, and has been set aside as %s", aside)
}

// DamagedForgotten lists the damaged files with forgotten texts that were set aside.
func (db *DB) DamagedForgotten() []string { return sqlite.Asides(db.forgottenPath) }
