package migrate

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// Limits of the name of a copied file, in bytes. Disks take names of 255 bytes, and
// systems take paths of 1,024 or more. The folder of the workspace and a number need room.
const (
	maxNamePart = 240
	maxPath     = 600
)

// maxNumber is the number of names that are tried for one file.
const maxNumber = 10_000

// documentPath returns where the copy of a file goes.
func documentPath(system, name string) string {
	whole := path.Join(Folder, system, path.Join("/", name))
	if !strings.EqualFold(path.Ext(whole), ".md") {
		whole += ".md"
	}
	return whole
}

// isOnDisks reports whether disks take a path.
func isOnDisks(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxNamePart {
			return false
		}
	}
	return len(name) <= maxPath && !strings.ContainsFunc(name, unicode.IsControl)
}

// freeName returns a path like this one that no other file has. It reports false if there
// is none, or if its folder cannot be one.
func (p *planner) freeName(name string) (free string, ok bool) {
	if !isOnDisks(name) || !p.FolderFree(path.Dir(name)) {
		return "", false
	}
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if p.files[strings.ToLower(folder)] {
			return "", false
		}
	}
	stem, free := strings.TrimSuffix(name, path.Ext(name)), name
	for n := 2; p.taken(free); n++ {
		if n > maxNumber {
			return "", false
		}
		free = fmt.Sprintf("%s-%d%s", stem, n, path.Ext(name))
	}
	p.files[strings.ToLower(free)] = true
	for folder := path.Dir(free); folder != "."; folder = path.Dir(folder) {
		p.folders[strings.ToLower(folder)] = true
	}
	return free, true
}

// taken reports whether a path belongs to another file or folder. Some file systems ignore
// case.
func (p *planner) taken(name string) bool {
	lower := strings.ToLower(name)
	return p.files[lower] || p.folders[lower] || p.Exists(name)
}
