// Package folder tells whether two folders are the same one, and what is below a folder. A
// folder stays the same when it is renamed or moved within its file system. A copy of it is
// another one. A file beside a database names the folder whose memories it has.
package folder

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/machine"
)

// ID identifies a folder.
type ID struct {
	Path   string `json:"path"`             // absolute, without links
	System string `json:"system,omitempty"` // device, inode and time of birth; empty: unknown
}

// Identify returns the ID of a folder. A folder that is not there has its path only.
func Identify(dir string) ID {
	dir = RealPath(dir)
	return ID{Path: dir, System: machine.FolderID(dir)}
}

// RealPath resolves symbolic links, so that every path to a file or folder gives the same
// result. One that is not there keeps its path.
func RealPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// Same reports whether two IDs are of one folder: they have one path, or it was moved.
func (id ID) Same(other ID) bool {
	return id.Path == other.Path || id.System != "" && id.System == other.System
}

// Contains reports whether a path is a folder itself or below it. It follows no links. An empty
// folder contains nothing.
func Contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

// IsGone reports whether nothing is at the path of the folder any more.
func (id ID) IsGone() bool {
	_, err := os.Stat(id.Path)
	return os.IsNotExist(err)
}

// OwnerFile returns the path of the file that names the folder of the database at a path.
func OwnerFile(database string) string { return strings.TrimSuffix(database, ".db") + ".folder" }

// Owner returns the folder whose memories a database has. ok is false where the
// database does not tell.
func Owner(database string) (id ID, ok bool) {
	text, err := os.ReadFile(OwnerFile(database))
	return id, err == nil && json.Unmarshal(text, &id) == nil && id.Path != ""
}

// SetOwner notes whose memories a database has, unless it is noted already. A folder
// that is not there at the moment keeps its ID.
func SetOwner(database string, id ID) error {
	known, ok := Owner(database)
	if ok && (known == id || known.Path == id.Path && id.System == "") {
		return nil
	}
	text, err := json.Marshal(id)
	if err != nil {
		return err
	}
	return atomicfile.Write(OwnerFile(database), text, 0o600)
}
