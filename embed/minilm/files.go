package minilm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/machine"
)

// file is a file that the library reads.
type file struct {
	name   string
	bytes  int64
	sha256 string
	write  func(io.Writer) error
}

// files lists the files of the model. The weights come last: a folder with them is
// complete.
func files() []file {
	return []file{
		builtInFile("config.json", configFile),
		builtInFile("tokenizer.json", tokenizerFile),
		{"model.onnx", modelBytes, modelSHA256, expandBuiltIn},
	}
}

func builtInFile(name string, content []byte) file {
	digest := sha256.Sum256(content)
	return file{name, int64(len(content)), hex.EncodeToString(digest[:]), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}}
}

// Digests returns the SHA-256 of the model's files, with their sizes in bytes. Nothing
// is in them where the binary has no model.
func Digests() map[string]int64 {
	digests := map[string]int64{}
	if Available {
		for _, f := range files() {
			digests[f.sha256] = f.bytes
		}
	}
	return digests
}

// WriteFiles makes the folder contain the model's files, and reports whether it wrote
// any. A file that is missing or has another SHA-256 is written again. A file is
// complete or absent, also after a crash or a loss of power.
func WriteFiles(dir string) (written bool, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, fmt.Errorf("make the folder of the transformer: %w", err)
	}
	for _, f := range files() {
		if f.isIntact(dir) {
			continue
		}
		if err := f.remove(dir); err != nil {
			return written, err
		}
		if err := f.replace(dir, machine.FreeBytes(dir)); err != nil {
			return written, err
		}
		written = true
	}
	return written, nil
}

// isIntact reports whether the folder has the file as it should be. What cannot be read
// is replaced.
func (f *file) isIntact(dir string) bool {
	path := filepath.Join(dir, f.name)
	info, err := os.Stat(path) // before it is opened: a named pipe would wait for a writer
	if err != nil || !info.Mode().IsRegular() || info.Size() != f.bytes {
		return false
	}
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	digest := sha256.New()
	_, err = io.Copy(digest, in)
	return err == nil && hex.EncodeToString(digest.Sum(nil)) == f.sha256
}

// remove deletes what has the name of the file, to free its space. It does not delete a
// folder with content.
func (f *file) remove(dir string) error {
	path := filepath.Join(dir, f.name)
	_ = atomicfile.RemoveTemporary(path) // what stays takes room, and nothing else
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the transformer's weights cannot be written: %w", err)
	}
	return nil
}

// reservedBytes stay free on the disk, so that notes and the index can still be written.
const reservedBytes = 64 << 20

// replace writes the file, which is complete or absent. free is the room on the disk; -1:
// not known.
func (f *file) replace(dir string, free int64) error {
	path := filepath.Join(dir, f.name)
	if free >= 0 && free < f.bytes+reservedBytes {
		return fmt.Errorf("the disk has no room for the transformer's weights: %s needs %d MB, and %d MB are free",
			dir, (DiskBytes+reservedBytes)/1_000_000, free/1_000_000)
	}
	err := atomicfile.WriteWith(path, 0o600, func(temporary *os.File) error { return f.write(temporary) })
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the disk has no room for the transformer's weights: %s needs %d MB: %w", dir, DiskBytes/1_000_000, syscall.ENOSPC)
	case err != nil:
		return fmt.Errorf("write the transformer's files: %w", err)
	}
	return nil
}
