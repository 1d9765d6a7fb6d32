package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/memory-tiered/memory/internal/machine"
)

// The name of a temporary file, in the folder of the file that it will replace. It
// is hidden, does not end in .md, and no other program uses the form.
const (
	tempPrefix = ".memory-tiered-"
	tempSuffix = ".tmp"
)

func tempName() string { return tempPrefix + rand.Text() + tempSuffix }

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// writeTemp writes and syncs a temporary file, and returns its name. old is the file
// to be replaced; nil for a new one, which gets the default mode.
func writeTemp(folder *os.Root, old os.FileInfo, text []byte) (name string, err error) {
	name = tempName()
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = 0o600 // until it gets the mode of the old file
	}
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	machine.TryLock(f)
	if _, err = f.Write(text); err == nil && old != nil {
		err = copyOwnerAndMode(f, old)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, folder.Remove(name))
	}
	return name, nil
}

// copyOwnerAndMode gives f the mode of old, and its owner as far as the system allows.
func copyOwnerAndMode(f *os.File, old os.FileInfo) error {
	machine.CopyOwner(f, old)
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == old.Mode().Perm() {
		return err // some file systems have a single mode and refuse to change it
	}
	return f.Chmod(old.Mode().Perm())
}

// syncFolder makes a rename durable. Windows and some network file systems cannot
// sync a folder.
func syncFolder(folder *os.Root) error {
	if !machine.SyncsFolders {
		return nil
	}
	f, err := folder.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// CleanUp removes temporary files that a crash left. It keeps those that another
// process is writing.
func (w *Workspace) CleanUp(ctx context.Context) error {
	if w.readOnly {
		return nil
	}
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	l, err := w.Scan(ctx)
	if err != nil {
		return err
	}
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	for _, folder := range l.Folders {
		err = errors.Join(err, cleanFolder(root, folder))
	}
	return err
}

func cleanFolder(root *os.Root, name string) (err error) {
	folder, err := root.OpenRoot(name)
	if err != nil {
		return ignoreNotExist(err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	f, err := folder.Open(".")
	if err != nil {
		return ignoreNotExist(err)
	}
	names, err := f.Readdirnames(-1)
	err = errors.Join(err, f.Close())
	for _, left := range names {
		if isTemp(left) && isAbandoned(folder, left) {
			if removeErr := folder.Remove(left); removeErr != nil {
				err = errors.Join(err, fmt.Errorf("remove %s: %w", path.Join(name, left), removeErr))
			}
		}
	}
	return err
}

// removeTempNames removes the temporary names of a file, which an earlier write left
// because the disk failed. It returns what the file is then.
func removeTempNames(root *os.Root, real string, info os.FileInfo) os.FileInfo {
	if machine.LinkCount(info) < 2 {
		return info
	}
	folder := path.Dir(real)
	f, err := root.Open(folder)
	if err != nil {
		return info
	}
	names, _ := f.Readdirnames(-1) // a name that is not found stays a hard link
	_ = f.Close()                  // nothing was written
	for _, name := range names {
		left := path.Join(folder, name)
		if there, err := root.Lstat(left); isTemp(name) && err == nil && os.SameFile(there, info) {
			_ = root.Remove(left) // one that cannot be removed stays a hard link
		}
	}
	if now, err := root.Lstat(real); err == nil {
		return now
	}
	return info
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isAbandoned reports whether no process is writing this file. A process that writes
// one holds its lock, and a crash releases it.
func isAbandoned(folder *os.Root, name string) bool {
	info, err := folder.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := folder.Open(name)
	if err != nil {
		return true // our temporary files are readable, so no process can be writing it
	}
	free := machine.TryLock(f)
	return f.Close() == nil && free
}
