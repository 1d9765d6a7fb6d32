// Package openclaw holds the plugin for OpenClaw inside the program. So the program can
// install it without npm and without a network, and both always fit each other.
//
// The plugin is JavaScript that the host loads as it stands. There is no build.
package openclaw

import (
	"archive/tar"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// embedded has the files of the installed plugin. They are those that package.json lists
// in "files", and those that npm packs anyway; a test compares them.
//
//go:embed LICENSE README.md openclaw.plugin.json package.json src/*.js
var embedded embed.FS

// Files returns exactly the files of the installed plugin, with package.json at the root.
func Files() fs.FS { return embedded }

// npmTime is the modification time that npm gives every file in a package.
var npmTime = time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)

// Pack writes the plugin as a package of npm: a .tgz whose files are below "package/".
// The bytes are the same each time.
func Pack(w io.Writer) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	err = fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return addFile(archive, name)
	})
	if err != nil {
		return fmt.Errorf("pack the plugin: %w", err)
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func addFile(archive *tar.Writer, name string) error {
	content, err := embedded.ReadFile(name)
	if err != nil {
		return err
	}
	head := &tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(content)), ModTime: npmTime, Format: tar.FormatUSTAR}
	if err := archive.WriteHeader(head); err != nil {
		return err
	}
	_, err = archive.Write(content)
	return err
}
