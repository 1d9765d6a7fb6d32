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

// MarkDamaged writes the mark of damage. One that cannot be written is written again when a
// process sees the damage again.
func (f *file) MarkDamaged(err error) {
	_ = os.WriteFile(f.path+damageSuffix, []byte(err.Error()+"\n"), 0o600)
}

// IsLost reports whether the database's path no longer has the file that is open,
// or the write-ahead log is gone: somebody removed or replaced them. What is written
// now goes nowhere.
func (f *file) IsLost() bool {
	if f.opened == nil {
		return false
	}
	current, err := os.Stat(f.path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	_, logErr := os.Stat(f.path + "-wal")
	if logErr == nil {
		f.sawLog.Store(true)
	}
	return !os.SameFile(f.opened, current) || errors.Is(logErr, fs.ErrNotExist) && f.sawLog.Load()
}
