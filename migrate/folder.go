package migrate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// ReadFolder reads the Markdown files of another workspace's folder.
func ReadFolder(ctx context.Context, dir string, progress func(files int)) (c Content, err error) {
	w, err := workspace.Open(dir, workspace.Options{ReadOnly: true})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	scan, err := w.Walk(ctx)
	if err != nil {
		return c, err
	}
	for i, f := range scan.Files {
		progress(i + 1)
		text, _, err := w.Read(f.Path)
		if err != nil {
			return c, memory.Unavailable(err, "read %s", f.Path)
		}
		c.Documents = append(c.Documents, Document{Path: f.Path, Text: text, Time: f.ModTime})
	}
	return c, nil
}

func copyFile(to io.Writer, name string) error {
	// A pipe would never end, and a device neither.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return memory.Invalid("path", "%s is no file", name).WithHint("name the database file, not a folder, a pipe or a device")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, f)
	return errors.Join(err, f.Close())
}

// databaseLogs are the ends of the names of the files that belong to a SQLite database: the
// write-ahead log and the rollback journal. A program that died in a transaction leaves
// the journal, with which SQLite restores what was committed.
var databaseLogs = []string{"-wal", "-journal"}

// CopyDatabase copies a SQLite database, with its logs, into a folder. So reading it
// changes nothing beside the original. It returns the path of the copy.
func CopyDatabase(path, folder string) (string, error) {
	copied := filepath.Join(folder, "copy.sqlite")
	for _, suffix := range append([]string{""}, databaseLogs...) {
		to, err := os.OpenFile(copied+suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return "", err
		}
		err = copyFile(to, path+suffix)
		if err = errors.Join(err, to.Close()); suffix != "" && errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(copied + suffix)
		}
		if err != nil {
			return "", err
		}
	}
	return copied, nil
}
