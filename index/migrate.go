package index

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

//go:embed schema/*.sql
var schema embed.FS

// applicationID identifies a database of this program ("memt" in ASCII).
const applicationID = 0x6d656d74

// firstVersion is the version of schema.sql. A database with a lower one is of a
// development version. It has no migration. The versions 1 to 35 had migrations once.
const firstVersion = 102

// scripts lists the files that make the durable tables of a new database: schema.sql, and
// then the migrations in order.
func scripts(files fs.FS) []string {
	migrations, err := fs.Glob(files, "schema/[0-9]*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return append([]string{"schema/schema.sql"}, migrations...)
}

// version returns the version of a database after all scripts.
func version(files fs.FS) int { return firstVersion + len(scripts(files)) - 1 }

// prepare migrates the schema. It first checks the database for damage if it was
// not closed properly.
func (db *DB) prepare(ctx context.Context) error {
	if err := db.checkVersion(ctx); err != nil {
		return err
	}
	err := db.sql.WithWriter(ctx, func(w sqlite.Writer) error {
		if err := w.UseWAL(ctx); err != nil { // not before checkVersion: this writes to the file
			return err
		}
		return checkAfterCrash(ctx, w)
	})
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		if err := tx.migrate(schema); err != nil {
			return err
		}
		restored, err := tx.changes.Marks.HasRestoredFile() // addRestoredMarks reads it
		if err == nil && !restored {
			err = tx.changes.Marks.Write()
		}
		return errors.Join(err, tx.SetMeta(metaVersion, strconv.Itoa(version(schema))), tx.SetMeta("clean", ""))
	})
}

// ErrNotReady reports a database that cannot be read yet: the process that owns it
// has to create it or to upgrade its schema first.
var ErrNotReady = errors.New("another memory process owns the state folder and has not finished that yet")

func notReady(path string) error {
	return memory.Unavailable(ErrNotReady, "%s has to be created or upgraded first", path).
		WithHint("try again when the other process has finished")
}

// errOutdated reports a database of a development version, which has no migration.
var errOutdated = fmt.Errorf("%w: it is of an older development version", sqlite.ErrForeign)

// checkVersion refuses a database of another program, of a newer version, or of a
// development version.
func (db *DB) checkVersion(ctx context.Context) error {
	h, err := db.sql.Header(ctx)
	if err != nil {
		return err
	}
	newest := version(schema)
	switch {
	case h.UserVersion > newest && db.hasVersion(ctx, newest):
		return fmt.Errorf("%w: its header has the version %d", sqlite.ErrDamaged, h.UserVersion)
	case h.ApplicationID != applicationID && h != (sqlite.Header{}):
		return sqlite.ErrForeign
	case h.UserVersion > newest:
		return memory.Unavailable(nil, "%s was made by a newer version (schema %d, this program knows %d)", db.sql.Path(), h.UserVersion, newest).
			WithHint("run the newer version, or set the file aside and index again: the decisions are in the Markdown")
	case db.sql.ReadOnly() && h.UserVersion < newest:
		return notReady(db.sql.Path())
	case h.UserVersion < firstVersion && h != (sqlite.Header{}):
		return errOutdated
	}
	return nil
}

// metaVersion is the key of the table meta for the version of the schema. The header has
// it too, and a damaged one looks like that of a newer program.
const metaVersion = "schema"

// hasVersion reports whether the last owner noted a version, whatever the header says.
func (db *DB) hasVersion(ctx context.Context, number int) bool {
	var noted string
	err := db.sql.Read().One(ctx, "SELECT value FROM meta WHERE key = ?", []any{metaVersion}, &noted)
	return err == nil && noted == strconv.Itoa(number)
}

// checkAfterCrash checks a database that its last owner did not close. A database
// without tables needs no check.
func checkAfterCrash(ctx context.Context, w sqlite.Writer) error {
	var current int
	if err := w.One(ctx, "PRAGMA user_version", nil, &current); err != nil || current == 0 {
		return err
	}
	var clean string
	err := w.One(ctx, "SELECT value FROM meta WHERE key = 'clean'", nil, &clean)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || clean != "" {
		return err
	}
	return w.QuickCheck(ctx)
}

func (db *DB) markClean() error {
	return db.Update(context.Background(), time.Time{}, func(tx *Tx) error { return tx.SetMeta("clean", "1") })
}

// migrate runs the scripts that the database lacks. It recreates views and derived tables
// as they require, all in one transaction.
func (tx *Tx) migrate(files fs.FS) error {
	var current int
	if err := tx.sql.One("PRAGMA user_version", nil, &current); err != nil {
		return err
	}
	missing := scripts(files)[max(0, current-firstVersion+1):]
	if len(missing) == 0 {
		return nil
	}
	rebuild := false
	for _, name := range missing {
		text, err := tx.runScript(files, name)
		if err != nil {
			return err
		}
		rebuild = rebuild || strings.HasPrefix(text, "-- reindex: yes")
	}
	if err := tx.recreateViews(); err != nil {
		return err
	}
	if rebuild {
		if err := tx.recreateDerived(); err != nil {
			return err
		}
	}
	if current == 0 {
		if err := tx.changes.Marks.Restore(sqlite.ToMillis(tx.Now)); err != nil {
			return err
		}
	}
	return tx.setPragmas(fmt.Sprintf("application_id = %d", applicationID), fmt.Sprintf("user_version = %d", version(files)))
}

// runScript runs a file and returns its text.
func (tx *Tx) runScript(files fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return "", err
	}
	if err := tx.sql.Run(string(text)); err != nil {
		return "", fmt.Errorf("run %s: %w", name, err)
	}
	return string(text), nil
}

func (tx *Tx) setPragmas(list ...string) error {
	for _, p := range list {
		if err := tx.sql.Run("PRAGMA " + p); err != nil {
			return fmt.Errorf("set %s: %w", p, err)
		}
	}
	return nil
}

func (tx *Tx) recreateViews() error {
	for _, drop := range []string{"DROP VIEW IF EXISTS visible", "DROP VIEW IF EXISTS remembered"} {
		if err := tx.sql.Exec(drop); err != nil {
			return err
		}
	}
	_, err := tx.runScript(schema, "schema/views.sql")
	return err
}
