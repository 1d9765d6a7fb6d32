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
	base := path + asideInfix + now.UTC().Format("20060102-150405")
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
	if err := os.Remove(path + damageSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return aside, nil
}

// LastSetAside returns the database at path that was set aside last, if it was
// written to after since. Otherwise it returns the empty string.
func LastSetAside(path string, since time.Time) (last string) {
	files, _ := os.ReadDir(filepath.Dir(path)) // a folder that cannot be read has none
	for _, f := range files {
		name := filepath.Join(filepath.Dir(path), f.Name())
		if !strings.HasPrefix(name, filepath.Clean(path)+asideInfix) || strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") {
			continue
		}
		if info, err := f.Info(); err == nil && info.ModTime().After(since) {
			last, since = name, info.ModTime()
		}
	}
	return last
}

// asideInfix separates the name of a database from the time when it was set aside.
const asideInfix = ".corrupt-"

// RebuildPath returns where the database at path is built before it takes its place.
// [RemoveTemp] removes what a crash leaves there.
func RebuildPath(path string) string {
	return filepath.Join(filepath.Dir(path), tempPrefix(path)+"rebuilt.db")
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

// Install puts a closed database at path, where no database is open. A log that was
// left of an earlier database must not be applied to this one, so it is removed.
func Install(file, path string) error {
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(file, path)
}
