package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Source is what another system has, and where it was read.
type Source struct {
	Content
	Path  string
	stamp *stamp // when it was read; nil: standard input
}

// stamp tells whether files have changed.
type stamp struct {
	newest time.Time
	files  int
	bytes  int64
}

// stampOf returns the stamp of a folder, or of a file and the logs of its database.
func stampOf(path string) (*stamp, error) {
	s := &stamp{}
	add := func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			s.files, s.bytes = s.files+1, s.bytes+info.Size()
			if at := info.ModTime(); at.After(s.newest) {
				s.newest = at
			}
		}
		return err
	}
	for _, suffix := range append([]string{""}, databaseLogs...) {
		if err := filepath.WalkDir(path+suffix, add); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, memory.Unavailable(err, "read %s", path)
		}
	}
	return s, nil
}

// Unchanged reports whether the files of the source are as they were.
func (s Source) Unchanged() (bool, error) {
	if s.stamp == nil {
		return true, nil
	}
	now, err := stampOf(s.Path)
	return err == nil && *now == *s.stamp, err
}

// Reader reads the data of a system.
type Reader struct {
	System string // one of Systems
	Path   string // of its data; empty: the usual one
	NDJSON string // a file of JSON lines to read instead; -: In
	Agent  string // whose memories to read; empty: the only agent's
	Node   string // the program that reads LanceDB; empty: the one in PATH

	Untrusted bool      // the memories are marked as untrusted
	Begin     time.Time // of the migration

	In            io.Reader
	Environ       []string
	Env           func(string) string
	Home          func() (string, error)
	LanceDBFolder string // where npm installs what reads LanceDB
	OpenDatabase  func(path string) (Database, error)
	Note          func(text string)
	Show          func(memory.Progress) // how far reading is
}

// Read reads the other system.
func (r *Reader) Read(ctx context.Context) (s Source, err error) {
	if r.NDJSON == "-" {
		s.Path = "standard input"
		s.Content, err = r.readLines(s.Path, r.In, 0)
	} else {
		s, err = r.readPath(ctx)
	}
	if err != nil {
		return s, err
	}
	if owners := s.Owners(); r.Agent == "" && len(owners) > 1 {
		return s, memory.Conflict("%s has memories of several agents: %s", s.Path, strings.Join(owners, ", ")).
			WithHint("agents do not share memories: choose one with --from-agent NAME, and its workspace with -w")
	}
	if r.Agent != "" {
		if n := s.KeepOwner(r.Agent); n > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%d memories of other agents are left out", n))
		}
	}
	if r.Untrusted {
		s.Distrust()
	}
	return s, nil
}

// readPath reads files, which must not change meanwhile.
func (r *Reader) readPath(ctx context.Context) (s Source, err error) {
	path := cmp.Or(r.NDJSON, r.Path)
	if path == "" {
		path, err = r.UsualPath()
	}
	if err == nil {
		s.Path, err = filepath.Abs(path)
	}
	if err != nil {
		return s, err
	}
	switch resolved, err := filepath.EvalSymlinks(s.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return s, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: s.Path + " does not exist",
			Hint: "name the data of " + r.System + ": memory migrate --from " + r.System + " PATH"}
	case err != nil:
		return s, memory.Unavailable(err, "read %s", s.Path)
	default:
		s.Path = resolved
	}
	if s.stamp, err = stampOf(s.Path); err != nil {
		return s, err
	}
	if s.Content, err = r.readContent(ctx, s.Path); err != nil {
		return s, err
	}
	if same, err := s.Unchanged(); err != nil || !same {
		return s, errors.Join(err, memory.Unavailable(nil, "%s changed while it was read", s.Path).
			WithHint("stop the program that uses it, then try again"))
	}
	return s, nil
}

// UsualPath returns where the system keeps its data, which may not exist.
func (r *Reader) UsualPath() (string, error) {
	home, err := r.Home()
	if err != nil {
		return "", err
	}
	place := systems[r.System].place
	switch {
	case place == "":
		return "", memory.Invalid("path", "the data of %s has no usual place", r.System).WithHint("name it: memory migrate --from %s PATH", r.System)
	case systems[r.System].inCache:
		return filepath.Join(cmp.Or(r.Env("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), place), nil
	}
	return filepath.Join(cmp.Or(r.Env("OPENCLAW_STATE_DIR"), filepath.Join(home, ".openclaw")), place), nil
}

// readContent reads a file of JSON lines, or the data of the system: a LanceDB database,
// Markdown files, or a SQLite database.
func (r *Reader) readContent(ctx context.Context, path string) (c Content, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return c, memory.Unavailable(err, "read %s", path)
	}
	system, isDir := systems[r.System], info.IsDir()
	switch {
	case r.NDJSON != "" && isDir:
		return c, memory.Invalid("ndjson", "%s is a folder", path).WithHint("--ndjson names a file with one JSON object a line")
	case r.NDJSON != "":
		f, err := os.Open(path)
		if err != nil {
			return c, memory.Unavailable(err, "read %s", path)
		}
		c, err = r.readLines(path, f, 0)
		return c, errors.Join(err, f.Close())
	case isDir && system.table != "":
		return r.readLanceDB(ctx, path, system.table)
	case isDir && system.layouts == nil:
		return ReadFolder(ctx, path, r.count)
	case isDir:
		return c, memory.Invalid("path", "%s is a folder, and the data of %s is a file", path, r.System).WithHint("name the file, such as index.sqlite")
	case system.layouts == nil:
		return c, memory.Invalid("path", "%s is a file, and the data of %s is a folder", path, r.System).WithHint("an export is read with --ndjson FILE")
	}
	return r.readDatabase(ctx, path)
}

// readLanceDB reads a table of a LanceDB database.
func (r *Reader) readLanceDB(ctx context.Context, path, table string) (c Content, err error) {
	node, err := exec.LookPath(cmp.Or(r.Node, "node"))
	if err != nil {
		return c, memory.Unavailable(err, "LanceDB can only be read with Node").
			WithHint("install Node 22 or later, name it with --node PATH, or export the rows and use --ndjson FILE (docs/migrating.md)")
	}
	reader := LanceReader{Node: node, NPM: "npm", Folder: r.LanceDBFolder, Environ: r.Environ, Note: r.Note}
	err = reader.Read(ctx, path, table, func(total int, lines io.Reader) (err error) {
		c, err = r.readLines(path, lines, total)
		return err
	})
	return c, err
}

// readLines reads lines of JSON. total is their number; 0: unknown.
func (r *Reader) readLines(name string, in io.Reader, total int) (Content, error) {
	return ReadLines(name, in, r.Begin, func(n int) { r.Show(memory.Progress{Stage: "read", Done: n, Total: max(n, total)}) })
}

// count shows how much of an unknown number is read.
func (r *Reader) count(n int) { r.Show(memory.Progress{Stage: "read", Done: n, Total: n}) }

// readDatabase reads a copy of a SQLite database.
func (r *Reader) readDatabase(ctx context.Context, path string) (c Content, err error) {
	folder, err := os.MkdirTemp("", "memory-migrate-")
	if err != nil {
		return c, memory.Unavailable(err, "make a folder for the copy of %s", path)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	copied, err := CopyDatabase(path, folder)
	if errors.Is(err, memory.ErrInvalid) {
		return c, err
	}
	var db Database
	if err == nil {
		db, err = r.OpenDatabase(copied)
	}
	if err != nil {
		return c, memory.Unavailable(err, "copy %s", path)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return ReadDatabase(ctx, r.System, path, db, r.Begin, r.count)
}
