// Package statefolder knows the files that the program keeps of its own. These are a
// database, what lies beside it, and its backup: a checked copy, which is rewritten and
// purged when texts are destroyed. The folders of open editors are the others.
package statefolder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// BackupPath returns the path of a database's backup, in the same folder.
func BackupPath(database string) string {
	return filepath.Join(filepath.Dir(database), "tiered.backup.db")
}

// Snapshots returns the folder of a database's snapshots, beside it.
func Snapshots(database string) string { return filepath.Join(filepath.Dir(database), "snapshots") }

// DatabaseExists reports whether the file of a database exists.
func DatabaseExists(database string) bool {
	_, err := os.Stat(database)
	return err == nil
}

// setAside lists the older copies of a database that opening it has left: damaged ones, and
// those of earlier versions.
func setAside(database string) (files []string, err error) {
	dir := filepath.Dir(database)
	entries, err := os.ReadDir(dir)
	for _, f := range entries {
		rest, _ := strings.CutPrefix(f.Name(), filepath.Base(database))
		if strings.HasPrefix(rest, ".corrupt-") || strings.HasPrefix(rest, ".version-") {
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

// MoveDatabase moves a closed database to another path, with every file that
// belongs to it. These are its backup, the marks of forgotten texts, the name of its
// folder, its snapshots and what was set aside. The old folder keeps none of its texts. It overwrites no
// file, and moves all or nothing.
func MoveDatabase(from, to string) (err error) {
	moves, err := databaseMoves(from, to)
	if err != nil {
		return memory.Unavailable(err, "move the database")
	}
	if len(moves) == 0 {
		return nil
	}
	for _, m := range moves {
		if _, err := os.Lstat(m.to); err == nil {
			return memory.Conflict("there is already a file %s", m.to).WithHint("move it away first")
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return memory.Unavailable(err, "move the database")
	}
	for i, m := range moves {
		if err := os.Rename(m.from, m.to); err != nil {
			for _, back := range moves[:i] {
				err = errors.Join(err, os.Rename(back.to, back.from))
			}
			return memory.Unavailable(err, "move the database")
		}
	}
	return nil
}

type fileMove struct{ from, to string }

// databaseMoves lists the files of a database with their new paths. The database is
// the last one: without it, an interrupted move is still restored from the backup.
func databaseMoves(from, to string) (moves []fileMove, err error) {
	from = filepath.Clean(from)
	files, err := os.ReadDir(filepath.Dir(from))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, pair := range []fileMove{{BackupPath(from), BackupPath(to)}, {index.ForgottenFile(from), index.ForgottenFile(to)}, {folder.OwnerFile(from), folder.OwnerFile(to)}, {from, to}} {
		for _, f := range files {
			old := filepath.Join(filepath.Dir(from), f.Name())
			if rest, found := strings.CutPrefix(old, pair.from); found && rest != "" {
				moves = append(moves, fileMove{old, pair.to + rest})
			}
		}
		if _, err := os.Lstat(pair.from); err == nil {
			moves = append(moves, pair)
		}
	}
	if _, err := os.Lstat(Snapshots(from)); err == nil {
		moves = append([]fileMove{{Snapshots(from), Snapshots(to)}}, moves...)
	}
	return moves, nil
}
