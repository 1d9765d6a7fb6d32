package hostsetup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// installPlugin writes the plugin's files into a folder. A setup that is killed between the
// two renames leaves no plugin, until setup runs again.
func installPlugin(files fs.FS, dir string) error {
	if same, err := samePlugin(files, dir); same && err == nil {
		return nil
	}
	next, old := dir+".new", dir+".old"
	err := errors.Join(os.RemoveAll(next), os.RemoveAll(old))
	if err == nil {
		err = writeFiles(files, next)
	}
	switch {
	case err != nil:
	case !isFolder(dir):
		err = os.Rename(next, dir)
	default:
		err = errors.Join(os.Rename(dir, old), os.Rename(next, dir))
	}
	if err = errors.Join(err, os.RemoveAll(next), os.RemoveAll(old)); err != nil {
		return memory.Unavailable(err, "write the plugin")
	}
	return nil
}

func writeFiles(files fs.FS, dir string) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		target := filepath.Join(dir, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(target, 0o755) // the host refuses a plugin that others may write
		}
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, src, 0o644)
	})
}

// samePlugin reports whether a folder has the files of this program's plugin.
func samePlugin(files fs.FS, dir string) (bool, error) {
	same := true
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		same = same && err == nil && bytes.Equal(got, want)
		return nil
	})
	return same, err
}
