package statefolder

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// editsDir is the folder, in the state folder, with a folder for each file that is open
// in an editor. A lock file beside it shows that the program still runs.
const editsDir = "edits"

// EditFolder is a folder for a file that is open in an editor, and for what the editor
// leaves there. If the program is killed, the next start and destroy remove the folder.
type EditFolder struct {
	Path string
	lock *flock.Flock
}

// NewEditFolder makes a folder in the state folder that only this user can read. The
// caller closes it.
func NewEditFolder(stateDir string) (*EditFolder, error) {
	root := filepath.Join(stateDir, editsDir)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(root, rand.Text())
	f := &EditFolder{path, flock.New(path+".lock", flock.SetPermissions(0o600))}
	if locked, err := f.lock.TryLock(); err != nil || !locked {
		return nil, errors.Join(err, fs.ErrExist)
	}
	if err := os.Mkdir(path, 0o700); err != nil { // after the lock, so that nobody takes it for left
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close removes the folder with all its files.
func (f *EditFolder) Close() error {
	return errors.Join(os.RemoveAll(f.Path), f.lock.Unlock(), os.Remove(f.lock.Path()))
}

// leftEdits locks and returns the folders whose program ended without removing them. The
// caller closes or unlocks them.
func leftEdits(stateDir string) (left []*EditFolder, err error) {
	if stateDir == "" {
		return nil, nil
	}
	root := filepath.Join(stateDir, editsDir)
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(root, entry.Name())
		f := &EditFolder{path, flock.New(path+".lock", flock.SetPermissions(0o600))}
		switch locked, lockErr := f.lock.TryLock(); {
		case lockErr != nil:
			err = errors.Join(err, lockErr)
		case locked:
			left = append(left, f)
		}
	}
	return left, err
}

// RemoveLeftEdits removes the folders whose program ended without removing them.
func RemoveLeftEdits(stateDir string) error {
	left, err := leftEdits(stateDir)
	for _, f := range left {
		err = errors.Join(err, f.Close())
	}
	return err
}

// LeftEdit returns the first folder whose program ended without removing it; empty if
// there is none.
func LeftEdit(stateDir string) (path string, err error) {
	left, err := leftEdits(stateDir)
	for _, f := range left {
		err = errors.Join(err, f.lock.Unlock())
	}
	if len(left) == 0 {
		return "", err
	}
	return left[0].Path, err
}
