package sqlite

import (
	"errors"
	"io/fs"
	"os"
)

// damageSuffix ends the name of the file that marks a database as damaged. It
// makes the next owner replace the database, even after a clean stop.
const damageSuffix = ".damaged"

// IsMarkedDamaged reports whether an owner has seen damage in the database.
func IsMarkedDamaged(path string) bool {
	_, err := os.Lstat(path + damageSuffix)
	return err == nil
}

// NoteDamage records an error that reports damage, and returns it. It ignores every other
// error. The first one marks the database for its next owner, too.
func (db *DB) NoteDamage(err error) error {
	if !IsCorrupt(err) || !db.damage.CompareAndSwap(nil, &err) || db.ReadOnly() {
		return err
	}
	// A marker that cannot be written is written again when the damage is seen again.
	_ = os.WriteFile(db.path+damageSuffix, []byte(err.Error()+"\n"), 0o600)
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

// IsLost reports whether the database's path no longer has the file that is open,
// or the write-ahead log is gone: somebody removed or replaced them. What is written
// now goes nowhere.
func (db *DB) IsLost() bool {
	if db.ReadOnly() || db.opened == nil {
		return false
	}
	current, err := os.Stat(db.path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	_, logErr := os.Stat(db.path + "-wal")
	if logErr == nil {
		db.sawLog.Store(true)
	}
	return !os.SameFile(db.opened, current) || errors.Is(logErr, fs.ErrNotExist) && db.sawLog.Load()
}
