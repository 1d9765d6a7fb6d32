package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/migrate/lancedb"
)

// migrationSource is what another system has, and where it was read.
type migrationSource struct {
	migrate.Content
	path string
	sum  *memory.Hash // of its files when they were read; nil: standard input
	hash func(path string) (memory.Hash, error)
}

// unchanged reports whether the files of the source are as they were.
func (s migrationSource) unchanged() (bool, error) {
	if s.sum == nil {
		return true, nil
	}
	now, err := s.hash(s.path)
	if err != nil {
		return false, memory.Unavailable(err, "read the source again")
	}
	return now == *s.sum, nil
}

// readSource reads the other system. It changes nothing there.
func (m *migration) readSource(ctx context.Context) (s migrationSource, err error) {
	if m.ndjson == "-" {
		s.path = "standard input"
		s.Content, err = m.readLines(s.path, m.in, 0)
	} else {
		s, err = m.readPath(ctx)
	}
	if err != nil {
		return s, err
	}
	if owners := s.Owners(); m.agent == "" && len(owners) > 1 {
		return s, memory.Conflict("%s has memories of several agents: %s", s.path, strings.Join(owners, ", ")).
			WithHint("agents do not share memories: choose one with --from-agent NAME, and its workspace with -w")
	}
	if m.agent != "" {
		if n := s.KeepOwner(m.agent); n > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%d memories of other agents are left out", n))
		}
	}
	if m.untrusted {
		s.Distrust()
	}
	return s, nil
}

// readPath reads files. Their hash must be the same before and after.
func (m *migration) readPath(ctx context.Context) (s migrationSource, err error) {
	s.path = m.ndjson
	if s.path == "" {
		s.path, err = m.sourcePath()
	}
	if err == nil {
		s.path, err = filepath.Abs(s.path)
	}
	if err != nil {
		return s, err
	}
	info, err := os.Stat(s.path)
	if err == nil {
		s.path, err = filepath.EvalSymlinks(s.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return s, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: s.path + " does not exist",
			Hint: "name the data of " + m.from + ": memory migrate --from " + m.from + " PATH"}
	}
	if err != nil {
		return s, memory.Unavailable(err, "read %s", s.path)
	}
	if m.ndjson == "" && !info.IsDir() {
		if err := migrate.CheckFile(s.path); err != nil {
			return s, err
		}
	}
	s.hash = migrate.HashOf
	if m.ndjson == "" && !info.IsDir() {
		s.hash = migrate.HashOfDatabase
	}
	before, err := s.hash(s.path)
	if err != nil {
		return s, memory.Unavailable(err, "read %s", s.path)
	}
	s.sum = &before
	switch {
	case m.ndjson != "" && info.IsDir():
		return s, memory.Invalid("ndjson", "%s is a folder", s.path).WithHint("--ndjson names a file with one JSON object a line")
	case m.ndjson != "":
		err = m.withFile(s.path, func(in io.Reader) error {
			s.Content, err = m.readLines(s.path, in, 0)
			return err
		})
	case info.IsDir():
		s.Content, err = m.readFolder(ctx, s.path)
	case m.from == migrate.LanceDB:
		err = memory.Invalid("path", "%s is a file, and a LanceDB database is a folder", s.path).WithHint("an export is read with --ndjson FILE")
	default:
		s.Content, err = m.readDatabase(ctx, s.path)
	}
	if err != nil {
		return s, err
	}
	if same, err := s.unchanged(); err != nil || !same {
		return s, errors.Join(err, memory.Unavailable(nil, "%s changed while it was read", s.path).
			WithHint("stop the program that uses it, then try again"))
	}
	return s, nil
}

// sourcePath returns the path of the command line, or the usual one of the system.
func (m *migration) sourcePath() (string, error) {
	if m.path != "" {
		return m.path, nil
	}
	home, err := m.home()
	if err != nil {
		return "", err
	}
	host := m.env("OPENCLAW_STATE_DIR")
	if host == "" {
		host = filepath.Join(home, ".openclaw")
	}
	switch m.from {
	case migrate.LanceDB:
		return filepath.Join(host, "memory", "lancedb"), nil
	case migrate.MemoryCore:
		return filepath.Join(host, "workspace"), nil
	case migrate.OpenClawMem:
		return filepath.Join(host, "memory", "openclaw-mem.sqlite"), nil
	case migrate.ClawMem:
		cache := m.env("XDG_CACHE_HOME")
		if cache == "" {
			cache = filepath.Join(home, ".cache")
		}
		return filepath.Join(cache, "clawmem", "index.sqlite"), nil
	}
	return "", memory.Invalid("path", "the data of %s has no usual place", m.from).WithHint("name it: memory migrate --from %s PATH", m.from)
}

// readFolder reads a folder: a LanceDB database, Markdown files, or a Chroma database.
func (m *migration) readFolder(ctx context.Context, path string) (c migrate.Content, err error) {
	switch m.from {
	case migrate.LanceDB:
		return m.readLanceDB(ctx, path, "memories")
	case migrate.OpenClawMem:
		return m.readLanceDB(ctx, path, "memories_engine")
	case migrate.OCMemory:
		return m.readDatabase(ctx, filepath.Join(path, "chroma.sqlite3"))
	case migrate.MemoryCore:
		bar := m.progress()
		defer bar.Done()
		return migrate.ReadFolder(ctx, path, func(n int) { bar.Show(memory.Progress{Stage: "read", Done: n, Total: n}) })
	}
	return c, memory.Invalid("path", "%s is a folder, and the data of %s is a file", path, m.from).WithHint("name the file, such as index.sqlite")
}

// readLanceDB reads a table of a LanceDB database.
func (m *migration) readLanceDB(ctx context.Context, path, table string) (c migrate.Content, err error) {
	stateDir, err := m.stateDir()
	if err != nil {
		return c, err
	}
	node := m.node
	if node == "" {
		node = "node"
	}
	if node, err = exec.LookPath(node); err != nil {
		return c, memory.Unavailable(err, "LanceDB can only be read with Node").
			WithHint("install Node 22 or later, name it with --node PATH, or export the rows and use --ndjson FILE (docs/migrating.md)")
	}
	reader := lancedb.Reader{Node: node, NPM: "npm", Folder: filepath.Join(stateDir, "lancedb"), Environ: m.environ,
		Note: func(text string) { fmt.Fprintf(m.err, "note: %s\n", text) }}
	err = reader.Read(ctx, path, table, func(total int, lines io.Reader) (err error) {
		c, err = m.readLines(path, lines, total)
		return err
	})
	return c, err
}

// readLines reads lines of JSON. total is their number; 0: unknown.
func (m *migration) readLines(name string, in io.Reader, total int) (migrate.Content, error) {
	bar := m.progress()
	defer bar.Done()
	return migrate.ReadLines(name, in, m.begin, func(n int) { bar.Show(memory.Progress{Stage: "read", Done: n, Total: max(n, total)}) })
}

func (m *migration) withFile(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return memory.Unavailable(err, "read %s", path)
	}
	return errors.Join(read(f), f.Close())
}

// readDatabase reads a copy of a SQLite database.
func (m *migration) readDatabase(ctx context.Context, path string) (c migrate.Content, err error) {
	if err := migrate.CheckFile(path); err != nil {
		return c, err
	}
	stateDir, err := m.stateDir()
	if err != nil {
		return c, err
	}
	folder := filepath.Join(migrationsFolder(stateDir), "copy")
	if err = errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
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
	bar := m.progress()
	defer bar.Done()
	return migrate.ReadDatabase(ctx, m.from, path, db, m.begin, func(n int) { bar.Show(memory.Progress{Stage: "read", Done: n, Total: n}) })
}
