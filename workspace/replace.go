package workspace

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// Replace replaces a file whose bytes have the hash want with text. The zero hash
// means a file that must not exist yet. Replace fails with memory.ErrConflict if
// the file has another content or changes before the rename. It fails with
// memory.ErrUnavailable if the disk is full or fails. It fails with ErrReadOnly if
// the file may not be written, and with ErrLinked if it has several hard links. The
// file is then unchanged. Replace follows a link to its target in the workspace.
//
// ErrUnsynced is the one error after which the file has the new text: the disk did
// not confirm the rename. The result is valid then.
//
// When Replace returns, the text is on disk. Another program may still append to
// the replaced file: call Drain of the result until it is done.
func (w *Workspace) Replace(name string, want memory.Hash, text []byte) (*LateAppends, error) {
	switch {
	case w.readOnly:
		return nil, readOnlyWorkspaceError(name)
	case !w.managed(name):
		return nil, memory.Invalid("path", "%s is not a file of memories", name)
	case int64(len(text)) > w.maxBytes:
		return nil, &TooLarge{name, int64(len(text)), w.maxBytes}
	}
	root, err := w.openRoot()
	if err != nil {
		return nil, err
	}
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if want == (memory.Hash{}) {
		return nil, w.create(root, name, text)
	}
	return w.replace(root, name, want, text)
}

func (w *Workspace) replace(root *os.Root, name string, want memory.Hash, text []byte) (late *LateAppends, err error) {
	old, real, err := w.openForReplace(root, name)
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() {
		if !keep {
			err = errors.Join(err, old.Close())
		}
	}()
	// From here on the folder is open, so replacing it by another has no effect.
	folder, err := root.OpenRoot(path.Dir(real))
	if err != nil {
		return nil, writeError(name, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()

	size, same, err := matchesHash(old, want)
	if err != nil || !same {
		return nil, errors.Join(err, changedError(name))
	}
	last := make([]byte, min(size, 1))
	if _, err := old.ReadAt(last, size-int64(len(last))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	err = renameOver(folder, path.Base(real), old, want, text)
	if err != nil {
		return nil, writeError(name, err)
	}
	err = syncRename(folder, name)
	if !machine.RenamesOverOpenFiles {
		return nil, err // no other program can append to the old file
	}
	keep = true
	return &LateAppends{w: w, name: name, old: old, mergedBytes: size, mergedHash: want,
		endedLine: bytes.Equal(last, []byte("\n")), deadline: time.Now().Add(lateAppendTime)}, err
}

// syncRename makes the rename of a file in this folder durable.
func syncRename(folder *os.Root, name string) error {
	if err := syncFolder(folder); err != nil {
		return unsyncedError(name, err)
	}
	return nil
}

// Sync makes an earlier replacement of a file durable, of which the disk did not
// confirm the rename. A file that does not exist has nothing to sync.
func (w *Workspace) Sync(name string) error {
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	f, real, err := w.openFile(root, name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return writeError(name, err)
	}
	if err = errors.Join(f.Sync(), f.Close()); err != nil {
		return unsyncedError(name, err)
	}
	folder, err := root.OpenRoot(path.Dir(real))
	if err != nil {
		return writeError(name, err)
	}
	return errors.Join(syncRename(folder, name), folder.Close())
}

// openForReplace opens the file that will be replaced. It opens it for writing too,
// because only a process that may write a file may replace it.
func (w *Workspace) openForReplace(root *os.Root, name string) (f *os.File, real string, err error) {
	f, real, err = w.openFile(root, name, os.O_RDWR)
	if err != nil {
		return nil, "", writeError(name, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = writeObstacle(name, removeTempNames(root, real, info))
	}
	if err == nil {
		err = folderWritable(root, path.Dir(real))
	}
	if err != nil {
		return nil, "", errors.Join(writeError(name, err), f.Close())
	}
	return f, real, nil
}

// WriteObstacle returns the error of Replace for a file that it cannot replace. It
// is one that this process may not write, or that has several hard links. It
// returns nil for other files and for a name that does not exist.
func (w *Workspace) WriteObstacle(name string) error {
	if w.readOnly {
		return readOnlyWorkspaceError(name)
	}
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	if _, _, err := w.resolveFile(root, name); isAbsent(err) {
		return nil
	}
	f, _, err := w.openForReplace(root, name)
	if err != nil {
		return err
	}
	return f.Close()
}

// FolderObstacle returns the error of writing a new file into a folder, which need not
// exist yet. It returns nil if nothing prevents that.
func (w *Workspace) FolderObstacle(name string) error {
	if w.readOnly {
		return readOnlyWorkspaceError(name)
	}
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	real, info, err := w.resolveLinks(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name != ".":
		if at, lstatErr := root.Lstat(name); lstatErr == nil && at.Mode()&fs.ModeSymlink != 0 {
			return badLinkError(name, err)
		}
		return w.FolderObstacle(path.Dir(name))
	case errors.Is(err, syscall.ENOTDIR):
		return w.FolderObstacle(path.Dir(name))
	case err != nil:
		return writeError(name, err)
	case !info.IsDir():
		return memory.Conflict("%s is no folder", name)
	case real != name && w.excluded(real, true), !writable(info.Mode()):
		return writeError(name, fs.ErrPermission)
	}
	return nil
}

func writeObstacle(name string, info fs.FileInfo) error {
	switch {
	case !writable(info.Mode()):
		return fs.ErrPermission
	case machine.LinkCount(info) > 1:
		return linkedError(name)
	}
	return nil
}

func folderWritable(root *os.Root, folder string) error {
	info, err := root.Stat(folder)
	if err == nil && !writable(info.Mode()) {
		err = fs.ErrPermission
	}
	return err
}

// renameOver writes a new file and renames it over the old one, if that is still
// the file at base and has the expected content. It checks this after the sync of
// the new file, which takes longest. LateAppends copies what is appended between
// the check and the rename.
func renameOver(folder *os.Root, base string, old *os.File, want memory.Hash, text []byte) error {
	info, err := old.Stat()
	if err != nil {
		return err
	}
	temp, err := writeTemp(folder, info, text)
	if err != nil {
		return err
	}
	_, same, err := matchesHash(old, want)
	if err == nil && same {
		var there os.FileInfo
		there, err = folder.Lstat(base)
		same = err == nil && os.SameFile(there, info)
	}
	if err == nil && !same {
		err = fs.ErrExist
	}
	if err == nil {
		err = folder.Rename(temp, base)
	}
	if err != nil {
		return errors.Join(err, folder.Remove(temp))
	}
	return nil
}

func matchesHash(f *os.File, want memory.Hash) (size int64, same bool, err error) {
	h := sha256.New()
	size, err = io.Copy(h, io.NewSectionReader(f, 0, 1<<62))
	return size, err == nil && memory.Hash(h.Sum(nil)) == want, err
}

// create writes a file that must not exist yet, and the folders above it.
func (w *Workspace) create(root *os.Root, name string, text []byte) (err error) {
	if info, err := root.Lstat(name); err == nil {
		if !info.Mode().IsRegular() {
			return memory.Conflict("%s exists and is not a regular file", name)
		}
		return changedError(name)
	}
	parent, err := w.makeFolder(root, path.Dir(name))
	if err != nil {
		return writeError(name, err)
	}
	folder, err := root.OpenRoot(parent)
	if err != nil {
		return writeError(name, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	temp, err := writeTemp(folder, nil, text)
	if err != nil {
		return writeError(name, err)
	}
	// A hard link, unlike a rename, never replaces a file that was created meanwhile.
	base := path.Base(name)
	err = folder.Link(temp, base)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := folder.Lstat(base); errors.Is(there, fs.ErrNotExist) {
			err = folder.Rename(temp, base)
		}
	}
	if err != nil {
		return writeError(name, errors.Join(err, folder.Remove(temp)))
	}
	// A temporary file that stays is removed by CleanUp.
	_ = folder.Remove(temp)
	return syncRename(folder, name)
}

// makeFolder makes the folder if it is missing, and returns its real path. An
// existing folder may be a link, by the same rules as for files.
func (w *Workspace) makeFolder(root *os.Root, name string) (real string, err error) {
	real, info, err := w.resolveLinks(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		if real, err = w.makeFolder(root, path.Dir(name)); err != nil {
			return "", err
		}
		real = path.Join(real, path.Base(name))
		if err = root.Mkdir(real, 0o777); err != nil {
			return "", err
		}
		return real, w.syncParent(root, real)
	}
	switch {
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fs.ErrExist
	case real != name && w.excluded(real, true), !writable(info.Mode()):
		return "", fs.ErrPermission
	}
	return real, nil
}

func (w *Workspace) syncParent(root *os.Root, real string) (err error) {
	parent, err := root.OpenRoot(path.Dir(real))
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(parent), parent.Close())
}
