package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
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

// HashOf returns a hash over the names and bytes of all files at a path, which is a
// file or a folder.
func HashOf(path string) (sum memory.Hash, err error) {
	h := sha256.New()
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		h.Write(binary.AppendUvarint(nil, uint64(len(relative))))
		h.Write([]byte(relative))
		h.Write(binary.AppendUvarint(nil, uint64(info.Size())))
		return copyFile(h, name)
	})
	return memory.Hash(h.Sum(nil)), err
}

// HashOfDatabase returns a hash over the bytes of a SQLite database and its logs.
func HashOfDatabase(path string) (memory.Hash, error) {
	sum, err := HashOf(path)
	h := sha256.New()
	h.Write(sum[:])
	for _, suffix := range databaseLogs {
		if err == nil {
			h.Write([]byte(suffix))
			if err = copyFile(h, path+suffix); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
	}
	return memory.Hash(h.Sum(nil)), err
}

// CheckFile returns an error if a path is no file of data. A pipe would never end, and a
// device neither.
func CheckFile(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: name + " does not exist", Hint: "name the database file"}
	case err == nil && !info.Mode().IsRegular():
		return memory.Invalid("path", "%s is no file", name).WithHint("name the database file, not a folder, a pipe or a device")
	}
	return err
}

func copyFile(to io.Writer, name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return memory.Invalid("path", "%s is no file", name)
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
