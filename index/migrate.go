package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// versionInfix separates the name of a database from its version, in a copy that was made before
// a migration.
const versionInfix = ".version-"

// migration returns the name of the script that changes a database of the version before.
func migration(version int) string { return fmt.Sprintf("%d.sql", version) }

// hasMigrations reports whether each version after from, up to to, has a script.
func hasMigrations(scripts fs.FS, from, to int) bool {
	for v := from + 1; v <= to; v++ {
		if _, err := fs.Stat(scripts, "schema/"+migration(v)); err != nil {
			return false
		}
	}
	return true
}

// migrate brings a database of an earlier release to a version, and keeps a copy of a file as it was.
// All scripts are one transaction: after an interruption, the database is still the old one. What
// can be made again is made again, and the files are read again.
func (db *DB) migrate(ctx context.Context, scripts fs.FS, to int, now time.Time) error {
	h, err := db.sql.Header(ctx)
	if err != nil || h.UserVersion == to || h == (sqldb.Header{}) {
		return err
	}
	kept := db.sql.Path() + versionInfix + fmt.Sprint(h.UserVersion)
	if db.OnServer() {
		kept = "a backup of the server"
	} else if err = atomicfile.RemoveTemporary(kept); err == nil { // of a start that was interrupted
		err = db.sql.Backup(ctx, kept, nil)
	}
	if err != nil {
		return err
	}
	err = db.sql.UpdateDurably(ctx, db.transaction(ctx, now, func(tx *Tx) error {
		for v := h.UserVersion + 1; v <= to; v++ {
			if err := tx.runScriptOf(scripts, migration(v)); err != nil {
				return err
			}
		}
		if err := tx.sql.Run("DROP VIEW IF EXISTS visible; DROP VIEW IF EXISTS remembered"); err != nil {
			return err
		}
		if err := tx.runScript("views.sql"); err != nil {
			return err
		}
		return errors.Join(tx.reset(), tx.sql.SetHeader(applicationID, to))
	}))
	if err == nil {
		db.notices = append(db.notices, fmt.Sprintf("the database was of version %d and is of version %d now; %s is a copy of the old one", h.UserVersion, to, kept))
	}
	return err
}
