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
	"runtime"
	"time"

	"github.com/memory-tiered/memory"
)

// Replace writes text in the place of a file whose bytes hash to want; the zero
// hash means a file that must not exist yet. A file that is another by now, or
// becomes it before the rename, is memory.ErrConflict; a full disk
// memory.ErrUnavailable; one that may not be written ErrReadOnly: the file is
// then as it was. A link is written through to its target in the workspace.
//
// The text is on the disk when Replace returns. Someone may still be appending
// to the file that was replaced: call the Tail's Drain until it is done.
func (w *Workspace) Replace(name string, want memory.Hash, text []byte) (*LateAppends, error) {
	switch {
	case w.readOnly:
		return nil, readOnly(name, nil)
	case !w.readable(name):
		return nil, memory.Invalid("path", "%s is no file of memories", name)
	case int64(len(text)) > w.max:
		return nil, &TooLarge{name, int64(len(text)), w.max}
	}
	root, err := w.open()
	if err != nil {
		return nil, err
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if want == (memory.Hash{}) {
		return nil, w.create(root, name, text)
	}
	return w.replace(root, name, want, text)
}

func (w *Workspace) replace(root *os.Root, name string, want memory.Hash, text []byte) (tail *LateAppends, err error) {
	old, real, err := w.openForWriting(root, name)
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() {
		if !keep {
			err = errors.Join(err, old.Close())
		}
	}()
	// From here on the folder is held by its handle: swapping it changes nothing.
	folder, err := root.OpenRoot(path.Dir(real))
	if err != nil {
		return nil, writeError(name, err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()

	size, same, err := holdsHash(old, want)
	if err != nil || !same {
		return nil, errors.Join(err, changed(name))
	}
	last := make([]byte, min(size, 1))
	if _, err := old.ReadAt(last, size-int64(len(last))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	if err := swap(folder, path.Base(real), old, want, text); err != nil {
		return nil, writeError(name, err)
	}
	if runtime.GOOS == "windows" {
		return nil, nil // who has the file open there prevents the rename
	}
	keep = true
	return &LateAppends{w: w, name: name, old: old, from: size, want: want,
		line: bytes.Equal(last, []byte("\n")), until: time.Now().Add(tailTime)}, nil
}

// openForWriting opens the file that will be replaced: for writing too, as only
// who may write a file may replace it.
func (w *Workspace) openForWriting(root *os.Root, name string) (f *os.File, real string, err error) {
	f, real, err = w.openFile(root, name, os.O_RDWR)
	if err != nil {
		return nil, "", writeError(name, err)
	}
	info, err := f.Stat()
	if err == nil && !writable(info.Mode()) {
		err = fs.ErrPermission
	}
	if err == nil {
		err = folderWritable(root, path.Dir(real))
	}
	if err != nil {
		return nil, "", errors.Join(writeError(name, err), f.Close())
	}
	return f, real, nil
}

func folderWritable(root *os.Root, folder string) error {
	info, err := root.Stat(folder)
	if err == nil && !writable(info.Mode()) {
		err = fs.ErrPermission
	}
	return err
}

// swap renames a new file over the old one, if that is still the one at base
// with the content that was wanted. The last look comes after the new file is
// synced, which is what takes long: what slips in between look and rename by
// appending is the Tail's.
func swap(folder *os.Root, base string, old *os.File, want memory.Hash, text []byte) error {
	info, err := old.Stat()
	if err != nil {
		return err
	}
	temp, err := writeTemp(folder, info, text)
	if err != nil {
		return err
	}
	_, same, err := holdsHash(old, want)
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
	return syncFolder(folder)
}

func holdsHash(f *os.File, want memory.Hash) (size int64, same bool, err error) {
	h := sha256.New()
	size, err = io.Copy(h, io.NewSectionReader(f, 0, 1<<62))
	return size, err == nil && memory.Hash(h.Sum(nil)) == want, err
}

// create writes a file that is not there yet, and the folders above it.
func (w *Workspace) create(root *os.Root, name string, text []byte) (err error) {
	if info, err := root.Lstat(name); err == nil {
		if !info.Mode().IsRegular() {
			return memory.Conflict("%s is there and is no file of the workspace", name)
		}
		return changed(name)
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
	// A hard link, unlike a rename, never replaces what came meanwhile.
	base := path.Base(name)
	err = folder.Link(temp, base)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := folder.Lstat(base); errors.Is(there, fs.ErrNotExist) {
			return writeError(name, errors.Join(folder.Rename(temp, base), syncFolder(folder)))
		}
	}
	return writeError(name, errors.Join(err, folder.Remove(temp), syncFolder(folder)))
}

// makeFolder makes the folder where it is missing, as any program would, and
// gives its real place. Existing folders may be links, by the rules for files.
func (w *Workspace) makeFolder(root *os.Root, name string) (real string, err error) {
	real, info, err := w.locate(root, name)
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
	case real != name && w.forbidden(real, true), !writable(info.Mode()):
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
