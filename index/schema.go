package index

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

//go:embed schema/*.sql
var schema embed.FS

// applicationID identifies a database of this program ("memt" in ASCII).
const applicationID = 0x6d656d74

// schemaVersion is the version of the schema, which user_version has. A change of a durable
// table raises it. A database with a lower one is migrated if each version since has a script.
// Otherwise it is of a development version, and is set aside.
const schemaVersion = 108

// prepare creates the schema of a new database. It first checks the database for damage if it was
// not closed properly.
func (db *DB) prepare(ctx context.Context, now time.Time) error {
	if err := db.checkVersion(ctx); err != nil {
		return err
	}
	if err := db.migrate(ctx, schema, schemaVersion, now); err != nil {
		return err
	}
	err := db.sql.WithWriter(ctx, func(w sqldb.Writer) error {
		if err := w.Prepare(ctx); err != nil { // not before checkVersion: this writes to the file
			return err
		}
		return checkAfterCrash(ctx, w)
	})
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		if err := tx.createSchema(); err != nil {
			return err
		}
		return errors.Join(tx.changes.Marks.Write(), tx.SetMeta("clean", ""))
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
var errOutdated = fmt.Errorf("%w: it is of an older development version", sqldb.ErrForeign)

// checkVersion refuses a database of another program, of a newer version, or of a
// development version.
func (db *DB) checkVersion(ctx context.Context) error {
	h, err := db.sql.Header(ctx)
	if err != nil {
		return err
	}
	switch {
	case h.ApplicationID != applicationID && h != (sqldb.Header{}):
		return sqldb.ErrForeign
	case h.UserVersion > schemaVersion:
		return memory.Unavailable(nil, "%s was made by a newer version (schema %d, this program knows %d)", db.sql.Path(), h.UserVersion, schemaVersion).
			WithHint("run the newer version, or move the file away and index again: the decisions are in the Markdown; %s is a copy from before, if it exists",
				db.sql.Path()+versionInfix+fmt.Sprint(schemaVersion))
	case db.sql.ReadOnly() && h.UserVersion < schemaVersion:
		return notReady(db.sql.Path())
	case h != (sqldb.Header{}) && !hasMigrations(schema, h.UserVersion, schemaVersion):
		return errOutdated
	}
	return nil
}

// checkAfterCrash checks a database that its last owner did not close. A database
// without tables needs no check.
func checkAfterCrash(ctx context.Context, w sqldb.Writer) error {
	h, err := w.Header(ctx)
	if err != nil || h.UserVersion == 0 {
		return err
	}
	var clean string
	err = w.One(ctx, "SELECT value FROM meta WHERE key = 'clean'", nil, &clean)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || clean != "" {
		return err
	}
	return w.QuickCheck(ctx)
}

func (db *DB) markClean() error {
	return db.Update(context.Background(), time.Time{}, func(tx *Tx) error { return tx.SetMeta("clean", "1") })
}

// createSchema creates the tables and views of a new database.
func (tx *Tx) createSchema() error {
	if h, err := tx.sql.Header(); err != nil || h.UserVersion != 0 {
		return err
	}
	for _, name := range []string{"schema.sql", "views.sql"} {
		if err := tx.runScript(name); err != nil {
			return err
		}
	}
	if err := tx.recreateDerived(); err != nil {
		return err
	}
	if err := tx.changes.Marks.Restore(sqldb.ToMillis(tx.Now)); err != nil {
		return err
	}
	return tx.sql.SetHeader(applicationID, schemaVersion)
}

// runScript runs a file of the schema.
func (tx *Tx) runScript(name string) error { return tx.runScriptOf(schema, name) }

func (tx *Tx) runScriptOf(scripts fs.FS, name string) error {
	text, err := fs.ReadFile(scripts, "schema/"+name)
	if err == nil {
		err = tx.sql.Run(string(text))
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}
