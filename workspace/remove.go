package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/memory-tiered/memory"
)

// Exists reports whether a path has a file or a folder, or cannot be looked up.
func (w *Workspace) Exists(name string) bool {
	root, err := w.openRoot()
	if err != nil {
		return true
	}
	_, err = root.Lstat(name)
	return !isAbsent(err)
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
	_, same, err := matchesHash(f, want)
	if err == nil && (!same || real != name) {
		err = changedError(name)
	}
	if err != nil {
		return err
	}
	if err := root.Remove(name); err != nil {
		return writeError(name, err)
	}
	folder, err := root.OpenRoot(path.Dir(name))
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
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() {
		return ignoreNotExist(err)
	}
	f, err := root.Open(name)
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
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.syncParent(root, name)
}

// SetTime sets the modification time of a file.
func (w *Workspace) SetTime(name string, at time.Time) error {
	root, err := w.openRoot()
	switch {
	case err != nil:
		return err
	case w.readOnly:
		return readOnlyWorkspaceError(name)
	case !w.managed(name):
		return memory.Invalid("path", "%s is not a file of memories", name)
	}
	if err := root.Chtimes(name, at, at); err != nil {
		return writeError(name, err)
	}
	return nil
}

// HasHash reports whether the bytes of a file have this hash, or the file does not
// exist. A link has none.
func (w *Workspace) HasHash(name string, want memory.Hash) (same bool, err error) {
	root, err := w.openRoot()
	if err != nil {
		return false, err
	}
	f, real, err := w.openFile(root, name, os.O_RDONLY)
	if isAbsent(err) {
		return !w.Exists(name), nil
	}
	if err != nil {
		return false, writeError(name, err)
	}
	_, same, err = matchesHash(f, want)
	return same && real == name, errors.Join(err, f.Close())
}
