package config

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
)

// maxFileBytes is far above the size of any configuration or key.
const maxFileBytes = 1 << 20

// unusableFile is the error for a file that is no regular file, or is too large.
type unusableFile string

func (u unusableFile) Error() string { return string(u) }

// ReadFile reads a regular file of at most one MiB. It refuses all others: a folder
// cannot be read, and a device or a pipe may never end.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, unusableFile(path + " is a folder, not a file")
	case !info.Mode().IsRegular():
		return nil, unusableFile(path + " is a device or a pipe, not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	src, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(src) > maxFileBytes {
		return nil, unusableFile(path + " is larger than 1 MiB")
	}
	return src, nil
}

// readConfiguration reads the configuration file. A file that does not exist is
// empty.
func readConfiguration(path string) ([]byte, error) {
	src, err := ReadFile(path)
	switch {
	case err == nil, os.IsNotExist(err), path == "":
		return src, nil
	case errors.As(err, new(unusableFile)):
		return nil, memory.Invalid("config", "the configuration: %s", err).
			WithHint("move it away to use the defaults, or name another file with --config or MEMORY_CONFIG")
	}
	return nil, memory.Unavailable(err, "read the configuration").
		WithHint("make %s readable for you, or name another file with --config or MEMORY_CONFIG", path)
}

// ExpandHome replaces the ~ of a path such as ~/notes by the home folder of the
// environment ("NAME=value").
func ExpandHome(path string, environ []string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home := ""
	for _, pair := range environ {
		if value, found := strings.CutPrefix(pair, "HOME="); found {
			home = value
		}
	}
	if home == "" {
		home, _ = os.UserHomeDir() // without it, the path stays as it is
	}
	if home == "" {
		return path
	}
	return filepath.Join(home, rest)
}

// expandPaths replaces the ~ in every path of the configuration.
func (l *Loaded) expandPaths(environ []string) {
	for _, path := range []*string{&l.DBPath, &l.Embedding.Local.ModelPath} {
		*path = ExpandHome(*path, environ)
	}
	for name, w := range l.Workspaces {
		w.Path = ExpandHome(w.Path, environ)
		l.Workspaces[name] = w
	}
}
