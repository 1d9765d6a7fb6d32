package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/memory-tiered/memory"
)

// Exists reports whether a path has a file or a folder, or cannot be looked up. The
// folders above it may be links, by the same rules as for files.
func (w *Workspace) Exists(name string) bool {
	root, err := w.openRoot()
	if err != nil {
		return true
	}
	at, err := w.locate(root, name)
	if err == nil {
		_, err = root.Lstat(at)
	}
	return !isMissing(err)
}

// isMissing reports whether an error means that a path has nothing.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// locate returns the real path of a file or a folder whose folder may be a link. A link
// at its end is not followed.
func (w *Workspace) locate(root *os.Root, name string) (string, error) {
	folder, _, err := w.resolveLinks(root, path.Dir(name))
	return path.Join(folder, path.Base(name)), err
}

// Remove removes a file whose bytes have the hash want. It fails with
// memory.ErrConflict if the file has another content, or is a link. A file that does
// not exist is removed already.
func (w *Workspace) Remove(name string, want memory.Hash) (err error) {
	switch {
	case w.readOnly:
		return readOnlyWorkspaceError(name)
	case !w.managed(name):
		return memory.Invalid("path", "%s is not a file of memories", name)
	}
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	f, real, err := w.openFile(root, name, os.O_RDONLY)
	if isAbsent(err) {
		return nil
	}
	if err != nil {
		return writeError(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	at, err := w.locate(root, name)
	if err != nil {
		return writeError(name, err)
	}
	_, same, err := matchesHash(f, want)
	if err == nil && (!same || real != at) {
		err = changedError(name)
	}
	if err != nil {
		return err
	}
	if err := root.Remove(at); err != nil {
		return writeError(name, err)
	}
	folder, err := root.OpenRoot(path.Dir(at))
	if err != nil {
		return writeError(name, err)
	}
	return errors.Join(syncRename(folder, name), folder.Close())
}

// RemoveFolder removes a folder if it is empty.
func (w *Workspace) RemoveFolder(name string) error {
	root, err := w.openRoot()
	if err != nil || w.readOnly {
		return err
	}
	at, err := w.locate(root, name)
	if err != nil {
		return ignoreNotExist(err)
	}
	info, err := root.Lstat(at)
	if err != nil || !info.IsDir() {
		return ignoreNotExist(err)
	}
	f, err := root.Open(at)
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, f.Close()); err != nil || len(names) > 0 {
		return err
	}
	if err := root.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.syncParent(root, at)
}
