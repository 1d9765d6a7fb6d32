package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var (
	errOutside  = errors.New("leads outside of the workspace")
	errLinkLoop = errors.New("too many links")
)

// resolveLinks resolves every link in name and returns the real path, relative to
// the workspace. An os.Root refuses absolute links; resolveLinks follows those that
// lead into the workspace. What is opened at the real path is checked again by the root.
func (w *Workspace) resolveLinks(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	base, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		return "", nil, err
	}
	full, err := filepath.EvalSymlinks(filepath.Join(base, filepath.FromSlash(name)))
	if err != nil {
		if !errors.As(err, new(*fs.PathError)) {
			err = errLinkLoop
		}
		return "", nil, err
	}
	rel, err := filepath.Rel(base, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", nil, errOutside
	}
	real = filepath.ToSlash(rel)
	info, err = root.Lstat(real)
	return real, info, err
}

// resolveFile finds the regular file that an indexable name leads to. A link does
// not make a file indexable whose real path is excluded.
func (w *Workspace) resolveFile(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	real, info, err = w.resolveLinks(root, name)
	if err == nil && (!info.Mode().IsRegular() || real != name && !w.mayLinkTo(real)) {
		err = errNotIndexed
	}
	return real, info, err
}

var errNotIndexed = errors.New("not an indexed file")

func (w *Workspace) mayLinkTo(real string) bool { return w.reads(real) && !w.excluded(real, false) }

// isAbsent reports whether an error of resolveLinks or resolveFile means that there
// is no such file of memories.
func isAbsent(err error) bool {
	for _, kind := range []error{fs.ErrNotExist, errNotIndexed, errOutside, errLinkLoop, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// aliasTable has the names by which the scan lists the files, so that Stat agrees with it.
type aliasTable struct {
	names map[string]string // the real path of each file → one of its names
	links map[string]bool   // those of the names that are not the real path, and links that lead nowhere
}

// IsLinked reports whether the last scan listed this file by another name.
func (w *Workspace) IsLinked(real string) bool {
	chosen, known := w.aliases.Load().names[real]
	return known && chosen != real
}

// IsLink reports whether the last scan found a link of this name, or listed a file by this name
// that leads through one.
func (w *Workspace) IsLink(name string) bool { return w.aliases.Load().links[name] }
