package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"syscall"
)

// A file being written stands beside the one it will replace under such a name:
// hidden, not .md, and of a form that nobody else uses.
const (
	tempPrefix = ".memory-tiered-"
	tempSuffix = ".tmp"
)

func tempName() string { return tempPrefix + rand.Text() + tempSuffix }

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// writeTemp puts text on the disk beside its destination, under the name that
// it gives. old is the file to be replaced; nil for a new one, which gets the
// mode that any program would give it.
func writeTemp(folder *os.Root, old os.FileInfo, text []byte) (name string, err error) {
	name = tempName()
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = 0o600 // as narrow as can be until it has the old one's
	}
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	lock(f)
	if _, err = f.Write(text); err == nil && old != nil {
		err = sameRights(f, old)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, folder.Remove(name))
	}
	return name, nil
}

// sameRights gives f the owner, as far as that is allowed, and the mode of old.
func sameRights(f *os.File, old os.FileInfo) error {
	keepOwner(f, old)
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == old.Mode().Perm() {
		return err // some file systems have one mode for everything, and refuse to change it
	}
	return f.Chmod(old.Mode().Perm())
}

// syncFolder makes a rename last. Windows and some network file systems can
// sync no folder.
func syncFolder(folder *os.Root) error {
	if runtime.GOOS == "windows" {
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

// CleanUp removes what a crash left of our writes. A file that another process
// is just writing stays.
func (w *Workspace) CleanUp(ctx context.Context) error {
	if w.readOnly {
		return nil
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	l, err := w.Scan(ctx)
	if err != nil {
		return err
	}
	root, err := w.open()
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
		return unlessGone(err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	f, err := folder.Open(".")
	if err != nil {
		return unlessGone(err)
	}
	names, err := f.Readdirnames(-1)
	err = errors.Join(err, f.Close())
	for _, left := range names {
		if isTemp(left) && abandoned(folder, left) {
			if removeErr := folder.Remove(left); removeErr != nil {
				err = errors.Join(err, fmt.Errorf("remove %s: %w", path.Join(name, left), removeErr))
			}
		}
	}
	return err
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// abandoned says that nobody is writing this file: whoever writes one holds its
// lock, and a crash lets go of it.
func abandoned(folder *os.Root, name string) bool {
	info, err := folder.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := folder.Open(name)
	if err != nil {
		return true // we made it readable: whatever it is, nobody can be writing it
	}
	free := lock(f)
	return f.Close() == nil && free
}
