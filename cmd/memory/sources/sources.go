// Package sources finds and reads the data of another memory system, for migrate. It
// changes nothing there.
package sources

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
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/migrate/lancedb"
)

// Source is what another system has, and where it was read.
type Source struct {
	migrate.Content
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
	for _, suffix := range append([]string{""}, migrate.DatabaseLogs...) {
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
	System string // one of migrate.Systems
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
	s.Path = r.NDJSON
	if s.Path == "" {
		s.Path, err = r.sourcePath()
	}
	if err == nil {
		s.Path, err = filepath.Abs(s.Path)
	}
	if err != nil {
		return s, err
	}
	info, err := os.Stat(s.Path)
	if err == nil {
		s.Path, err = filepath.EvalSymlinks(s.Path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return s, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: s.Path + " does not exist",
			Hint: "name the data of " + r.System + ": memory migrate --from " + r.System + " PATH"}
	}
	if err != nil {
		return s, memory.Unavailable(err, "read %s", s.Path)
	}
	if s.stamp, err = stampOf(s.Path); err != nil {
		return s, err
	}
	switch {
	case r.NDJSON != "" && info.IsDir():
		return s, memory.Invalid("ndjson", "%s is a folder", s.Path).WithHint("--ndjson names a file with one JSON object a line")
	case r.NDJSON != "":
		err = withFile(s.Path, func(in io.Reader) error {
			s.Content, err = r.readLines(s.Path, in, 0)
			return err
		})
	case info.IsDir():
		s.Content, err = r.readFolder(ctx, s.Path)
	case r.System == migrate.LanceDB, r.System == migrate.MemoryCore:
		err = memory.Invalid("path", "%s is a file, and the data of %s is a folder", s.Path, r.System).WithHint("an export is read with --ndjson FILE")
	default:
		s.Content, err = r.readDatabase(ctx, s.Path)
	}
	if err != nil {
		return s, err
	}
	if same, err := s.Unchanged(); err != nil || !same {
		return s, errors.Join(err, memory.Unavailable(nil, "%s changed while it was read", s.Path).
			WithHint("stop the program that uses it, then try again"))
	}
	return s, nil
}

// sourcePath returns the path of the command line, or the usual one of the system.
func (r *Reader) sourcePath() (string, error) {
	if r.Path != "" {
		return r.Path, nil
	}
	home, err := r.Home()
	if err != nil {
		return "", err
	}
	host := cmp.Or(r.Env("OPENCLAW_STATE_DIR"), filepath.Join(home, ".openclaw"))
	switch r.System {
	case migrate.LanceDB:
		return filepath.Join(host, "memory", "lancedb"), nil
	case migrate.MemoryCore:
		return filepath.Join(host, "workspace"), nil
	case migrate.OpenClawMem:
		return filepath.Join(host, "memory", "openclaw-mem.sqlite"), nil
	case migrate.ClawMem:
		cache := cmp.Or(r.Env("XDG_CACHE_HOME"), filepath.Join(home, ".cache"))
		return filepath.Join(cache, "clawmem", "index.sqlite"), nil
	}
	return "", memory.Invalid("path", "the data of %s has no usual place", r.System).WithHint("name it: memory migrate --from %s PATH", r.System)
}

// readFolder reads a folder: a LanceDB database or Markdown files.
func (r *Reader) readFolder(ctx context.Context, path string) (c migrate.Content, err error) {
	switch r.System {
	case migrate.LanceDB:
		return r.readLanceDB(ctx, path, "memories")
	case migrate.OpenClawMem:
		return r.readLanceDB(ctx, path, "memories_engine")
	case migrate.MemoryCore:
		return migrate.ReadFolder(ctx, path, func(n int) { r.Show(memory.Progress{Stage: "read", Done: n, Total: n}) })
	}
	return c, memory.Invalid("path", "%s is a folder, and the data of %s is a file", path, r.System).WithHint("name the file, such as index.sqlite")
}

// readLanceDB reads a table of a LanceDB database.
func (r *Reader) readLanceDB(ctx context.Context, path, table string) (c migrate.Content, err error) {
	node, err := exec.LookPath(cmp.Or(r.Node, "node"))
	if err != nil {
		return c, memory.Unavailable(err, "LanceDB can only be read with Node").
			WithHint("install Node 22 or later, name it with --node PATH, or export the rows and use --ndjson FILE (docs/migrating.md)")
	}
	reader := lancedb.Reader{Node: node, NPM: "npm", Folder: r.LanceDBFolder, Environ: r.Environ, Note: r.Note}
	err = reader.Read(ctx, path, table, func(total int, lines io.Reader) (err error) {
		c, err = r.readLines(path, lines, total)
		return err
	})
	return c, err
}

// readLines reads lines of JSON. total is their number; 0: unknown.
func (r *Reader) readLines(name string, in io.Reader, total int) (migrate.Content, error) {
	return migrate.ReadLines(name, in, r.Begin, func(n int) { r.Show(memory.Progress{Stage: "read", Done: n, Total: max(n, total)}) })
}

func withFile(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return memory.Unavailable(err, "read %s", path)
	}
	return errors.Join(read(f), f.Close())
}

// readDatabase reads a copy of a SQLite database.
func (r *Reader) readDatabase(ctx context.Context, path string) (c migrate.Content, err error) {
	if err := migrate.CheckFile(path); err != nil {
		return c, err
	}
	folder, err := os.MkdirTemp("", "memory-migrate-")
	if err != nil {
		return c, memory.Unavailable(err, "make a folder for the copy of %s", path)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	copied, err := migrate.CopyDatabase(path, folder)
	if err != nil {
		return c, memory.Unavailable(err, "copy %s", path)
	}
	db, err := index.OpenForeign(copied)
	if err != nil {
		return c, memory.Unavailable(err, "open %s", path)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrate.ReadDatabase(ctx, r.System, path, db, r.Begin, func(n int) { r.Show(memory.Progress{Stage: "read", Done: n, Total: n}) })
}
