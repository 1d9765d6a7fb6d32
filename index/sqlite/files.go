package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/glob"
)

// SetAside renames a corrupt database and its log, or another file, and returns the new name. now
// is part of the name. No connection may be open.
func SetAside(path string, now time.Time) (string, error) {
	base := path + asideInfix + now.UTC().Format("20060102-150405")
	aside := base
	for i := 2; ; i++ {
		_, err := os.Lstat(aside)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil { // no other name can be examined either
			return "", err
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

// Asides lists the files at path that were set aside, the last one last.
func Asides(path string) []string {
	found, _ := filepath.Glob(filepath.Join(glob.Escape(filepath.Dir(path)), filepath.Base(path)+asideInfix+"*")) // only a bad pattern fails
	slices.Sort(found)
	return found
}

// asideInfix separates the name of a file from the time when it was set aside.
const asideInfix = ".corrupt-"

// RebuildPath returns where the database at path is built before it takes its place.
// [atomicfile.RemoveTemporary] removes what a crash leaves there.
func RebuildPath(path string) string {
	return filepath.Join(filepath.Dir(path), atomicfile.TemporaryPrefix(path)+"rebuilt.db")
}

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
