package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SetAside renames a corrupt database and its log, and returns the new name. now
// is part of the name. No connection may be open.
func SetAside(path string, now time.Time) (string, error) {
	base := path + ".corrupt-" + now.UTC().Format("20060102-150405")
	aside := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", base, i)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}

// WriteFile replaces a file in one step, synced, with mode 0600.
func WriteFile(path string, text []byte) (err error) {
	f, err := createTemp(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// RemoveTemp removes the temporary files that a crash left of [WriteFile] or
// [DB.Backup] to these paths. Only the owner of the database writes there. A file
// that cannot be removed does no harm.
func RemoveTemp(paths ...string) {
	for _, path := range paths {
		folder := filepath.Dir(path)
		files, err := os.ReadDir(folder)
		if path == "" || err != nil {
			continue
		}
		for _, f := range files {
			if strings.HasPrefix(f.Name(), tempPrefix(path)) {
				_ = os.Remove(filepath.Join(folder, f.Name()))
			}
		}
	}
}

// createTemp creates the file that will replace the one at path.
func createTemp(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
}

// tempPrefix begins the name of a file until it is complete.
func tempPrefix(path string) string { return "." + filepath.Base(path) + "-" }
