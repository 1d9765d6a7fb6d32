// Package atomicfile replaces files in one step. A reader sees the old content or the
// new one, also after a crash. Markdown has stricter rules, see package workspace.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write replaces the file at path. It returns when the content is on the disk.
func Write(path string, content []byte, mode fs.FileMode) error {
	return WriteWith(path, mode, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// WriteWith replaces the file at path with what write puts into a temporary file beside
// it. If write fails, the file at path keeps its content.
func WriteWith(path string, mode fs.FileMode, write func(*os.File) error) (err error) {
	f, err := CreateTemporary(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may be closed already
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// CreateTemporary creates the file that will replace the one at path.
func CreateTemporary(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), TemporaryPrefix(path)+"*")
}

// TemporaryPrefix begins the names of the temporary files of the file at path.
func TemporaryPrefix(path string) string { return "." + filepath.Base(path) + ".memory-" }

// RemoveTemporary removes the temporary files that a crash left for these paths. It also
// removes the file of a writer that runs at this moment, whose write then fails.
func RemoveTemporary(paths ...string) error {
	var failed []error
	for _, path := range paths {
		folder := filepath.Dir(path)
		files, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		failed = append(failed, err)
		for _, f := range files {
			if path != "" && strings.HasPrefix(f.Name(), TemporaryPrefix(path)) {
				failed = append(failed, os.Remove(filepath.Join(folder, f.Name())))
			}
		}
	}
	return errors.Join(failed...)
}

// syncFolder makes a rename or a removal in a folder last through a loss of power. Some
// systems cannot sync a folder, so errors are ignored.
func syncFolder(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	_ = f.Sync()
	_ = f.Close()
}
