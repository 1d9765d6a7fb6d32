// Package folder tells whether two folders are the same one, and what is below a folder. A
// folder stays the same when it is renamed or moved within its file system. A copy of it is
// another one. A file beside a database names the folder whose memories it has.
package folder

import (
	"os"
	"path/filepath"

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
