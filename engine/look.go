package engine

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// Look goes over every file that is ours or that we index, for the bytes of some
// texts.
type Look struct {
	StateDir string // every file in it, and below; empty: there is none
	Database string // and what lies beside it under its name, wherever that is
	Dir      string // the workspace: its Markdown, also what is not indexed

	// Known shows files that must not be opened, because something of this process
	// has them open already; nil: none. See index.DB.Raw.
	Known func(look func(path string, r io.Reader) error) error

	// Indexed says of a file of the workspace, by its path in there, whether it is
	// one that holds memories; nil: nobody knows.
	Indexed func(path string) bool

	Progress func(memory.Progress) // may be nil
}

// For gives every file that was looked at, in order, and where it holds one of
// the texts.
func (l Look) For(ctx context.Context, texts []string) (found memory.VerifyAnswer, err error) {
	s := seeker{Look: l, trace: traceOf(texts...), prints: map[memory.Fingerprint]bool{}, seen: map[string]bool{}, found: &found}
	for _, text := range texts {
		s.prints[chunker.Fingerprint(text)] = true
	}
	if l.Known != nil {
		if err := l.Known(s.bytes); err != nil {
			return found, err
		}
	}
	if err := s.walk(ctx, l.StateDir, func(string, fs.DirEntry) bool { return true }); err != nil {
		return found, err
	}
	if err := s.walk(ctx, filepath.Dir(l.Database), s.beside); err != nil {
		return found, err
	}
	return found, s.walk(ctx, l.Dir, s.ofWorkspace)
}

// seeker is one pass over the files.
type seeker struct {
	Look
	trace  *trace
	prints map[memory.Fingerprint]bool
	seen   map[string]bool
	found  *memory.VerifyAnswer
}

// beside lets the database through, its log, its backup, what was forgotten in
// it, and what a crash left of one of them being written.
func (s *seeker) beside(path string, d fs.DirEntry) bool {
	if d.IsDir() {
		return path == filepath.Dir(s.Database)
	}
	name := strings.TrimSuffix(filepath.Base(s.Database), filepath.Ext(s.Database)) + "."
	return strings.HasPrefix(strings.TrimPrefix(d.Name(), "."), name)
}

// ofWorkspace lets Markdown through, and what else holds our words: lists of
// decisions, and what a crash left of a file being written.
func (s *seeker) ofWorkspace(path string, d fs.DirEntry) bool {
	if d.IsDir() {
		return path == s.Dir || !strings.HasPrefix(d.Name(), ".") && d.Name() != "node_modules"
	}
	return isMarkdown(path) || filepath.Ext(path) == ".yaml" || strings.HasPrefix(d.Name(), ".memory-tiered-")
}

func isMarkdown(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }

func (s *seeker) walk(ctx context.Context, dir string, wanted func(string, fs.DirEntry) bool) error {
	if dir == "" {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.note(path, -1, err) // the others are looked at all the same
		case d.IsDir() && !wanted(path, d):
			return fs.SkipDir
		case d.Type().IsRegular() && wanted(path, d) && !s.seen[path]:
			s.file(path)
		}
		return nil
	})
}

// bytes looks at a file that somebody else has opened.
func (s *seeker) bytes(path string, r io.Reader) error {
	at, err := s.trace.in(r)
	s.note(path, at, err)
	return nil
}

func (s *seeker) file(path string) {
	f, err := os.Open(path)
	if err != nil {
		s.note(path, -1, err)
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	if !isMarkdown(path) {
		at, err := s.trace.in(f)
		s.note(path, at, err)
		return
	}
	src, err := io.ReadAll(f)
	if err != nil {
		s.note(path, -1, err)
		return
	}
	at, err := s.trace.in(bytes.NewReader(src))
	if err == nil && at < 0 {
		at = s.block(src)
	}
	s.note(path, at, err)
}

// block finds a text among the blocks of a Markdown file, where it may be written
// with escapes or links that it is not shown with.
func (s *seeker) block(src []byte) int64 {
	for _, b := range chunker.Blocks(src, frontmatter.Parse(src, time.UTC).Body) {
		if s.prints[b.Fingerprint] {
			return int64(b.Start)
		}
	}
	return -1
}

func (s *seeker) note(path string, at int64, err error) {
	s.seen[path] = true
	c := memory.CheckedPlace{File: path, Found: at >= 0}
	if c.Found {
		c.At = &at
	}
	rel, outside := filepath.Rel(s.Dir, path)
	switch {
	case err != nil:
		c.Note = err.Error()
	case c.Found && s.Indexed != nil && outside == nil && filepath.IsLocal(rel) && !s.Indexed(filepath.ToSlash(rel)):
		c.Note = "not indexed"
	}
	s.found.Add(c)
	if s.Progress != nil {
		n := len(s.found.Checked)
		s.Progress(memory.Progress{Stage: "look", Done: n, Total: n})
	}
}
