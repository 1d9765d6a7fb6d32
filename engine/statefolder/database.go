// Package statefolder knows the files that the program keeps of its own. These are a
// database with its backup and what lies beside it, and the folders of open editors.
package statefolder

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// BackupPath returns the path of a database's backup, in the same folder.
func BackupPath(database string) string {
	return filepath.Join(filepath.Dir(database), "tiered.backup.db")
}

// DatabaseExists reports whether the file of a database exists.
func DatabaseExists(database string) bool {
	_, err := os.Stat(database)
	return err == nil
}

// SetAside lists the damaged versions of a database, which opening it has set aside.
func SetAside(database string) (files []string, err error) {
	dir := filepath.Dir(database)
	entries, err := os.ReadDir(dir)
	for _, f := range entries {
		if strings.HasPrefix(f.Name(), filepath.Base(database)+".corrupt-") {
			files = append(files, filepath.Join(dir, f.Name()))
		}
	}
	return files, err
}

// RemoveTemporary removes temporary files that a crash left of a database's backup, of a
// check or of the file of forgotten texts.
func RemoveTemporary(database string) error {
	return atomicfile.RemoveTemporary(database, BackupPath(database), index.ForgottenFile(database))
}
