package verify

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // archives.tsv
	"encoding/hex"
	"errors"
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

// Files names the folders in which Find reads files.
type Files struct {
	StateDir  string // all its files, at any depth; empty: there is none
	Database  string // this file and its companions in the same folder: log, backup, forgotten texts
	Snapshots string // every file of this folder beside the database
	Workspace string // all its files, whether indexed or not

	// ReadOpen passes the files that this process has open as databases to read.
	// Find must not open those itself: closing them would drop SQLite's POSIX locks.
	// nil: none are open. See index.DB.RawFiles.
	ReadOpen func(read func(path string, r io.Reader) error) error

	// Indexed reports whether a file of the workspace, by its path in it, holds
	// memories; nil: unknown.
	Indexed func(path string) bool

	Progress func(memory.Progress) // may be nil
}

// Find reads every file and reports, in the order of reading, whether it holds
// one of the texts. A file that cannot be read has the error as its note.
func (f Files) Find(ctx context.Context, texts *Matcher) (answer memory.VerifyAnswer, err error) {
	s := fileScan{Files: f, texts: texts, seen: map[string]bool{}, open: map[string]openFile{}, answer: &answer}
	if f.ReadOpen != nil {
		if err := f.ReadOpen(s.readOpen); err != nil {
			return answer, err
		}
	}
	if err := s.walk(ctx, f.StateDir, s.ofState); err != nil {
		return answer, err
	}
	if err := s.walk(ctx, filepath.Dir(f.Database), s.ofDatabase); err != nil {
		return answer, err
	}
	return answer, s.walk(ctx, f.Workspace, s.ofWorkspace)
}

// fileScan is one pass over the files.
type fileScan struct {
	Files
	texts  *Matcher
	seen   map[string]bool
	open   map[string]openFile // those that this process has open as databases
	answer *memory.VerifyAnswer
}

// openFile is a file that this process has open.
type openFile struct {
	io.ReaderAt
	info os.FileInfo // nil: unknown
}

// ofState accepts every file that was not read yet.
func (s *fileScan) ofState(path string, _ fs.DirEntry) bool { return !s.seen[path] }

// ofDatabase accepts the database, its log, its backup, its list of forgotten texts and
// its snapshots. It accepts the temporary files of these that a crash left behind.
func (s *fileScan) ofDatabase(path string, d fs.DirEntry) bool {
	if d.IsDir() {
		return path == filepath.Dir(s.Database) || path == s.Snapshots
	}
	if filepath.Dir(path) == s.Snapshots {
		return true
	}
	name := strings.TrimSuffix(filepath.Base(s.Database), filepath.Ext(s.Database)) + "."
	return strings.HasPrefix(strings.TrimPrefix(d.Name(), "."), name)
}

// ofWorkspace accepts every file, also one that is never indexed. It leaves out the objects of
// git, which are compressed, and OpenClaw's recalls, where Hosts looks.
func (s *fileScan) ofWorkspace(path string, d fs.DirEntry) bool {
	isObjects := d.Name() == "objects" && strings.Contains(path, string(filepath.Separator)+gitFolder+string(filepath.Separator))
	return !isObjects && path != recalls(s.Workspace)
}

const gitFolder = ".git"

// isOurs reports whether a file of the workspace may be indexed, has decisions, or was left
// behind by a crash. The answer lists such a file also if it has no text.
func isOurs(path string) bool {
	for _, part := range strings.Split(filepath.Dir(path), string(filepath.Separator)) {
		if part != "." && strings.HasPrefix(part, ".") || part == "node_modules" {
			return false
		}
	}
	return isMarkdown(path) || filepath.Ext(path) == ".yaml" || strings.HasPrefix(filepath.Base(path), ".memory-tiered-")
}

func isMarkdown(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }

func (s *fileScan) walk(ctx context.Context, dir string, accepts func(string, fs.DirEntry) bool) error {
	if dir == "" {
		return nil
	}
	visit := func(path string, d fs.DirEntry, err error) error {
		path = filepath.Clean(path)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.add(path, -1, err) // the scan goes on with the other files
		case d.IsDir() && !accepts(path, d):
			return fs.SkipDir
		case s.isLinkedFolder(path, d):
			return s.walk(ctx, path, accepts)
		case !d.IsDir() && accepts(path, d) && !s.seen[path] && s.mayRead(path):
			s.readFile(path)
		}
		return nil
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		dir += string(filepath.Separator) // which follows a link
	}
	return filepath.WalkDir(dir, visit)
}

// isLinkedFolder reports whether a path of the state folder is a link to a folder that was not
// walked yet.
func (s *fileScan) isLinkedFolder(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 || !strings.HasPrefix(path, s.StateDir+string(filepath.Separator)) {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || !info.IsDir() || s.seen[target] {
		return false
	}
	s.seen[target] = true
	return true
}

// mayRead reports whether a name, which may be a link, leads to a regular file that this
// process has not open as a database.
func (s *fileScan) mayRead(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	for _, f := range s.open {
		if f.info != nil && os.SameFile(info, f.info) {
			return false
		}
	}
	return true
}

// readOpen searches a file that index.DB has opened.
func (s *fileScan) readOpen(path string, r io.Reader) error {
	file, isWhole := r.(io.ReaderAt)
	if isWhole {
		info, _ := os.Stat(path)
		s.open[path] = openFile{file, info}
	}
	offset, err := s.texts.IndexReader(r)
	if isWhole && offset < 0 && err == nil {
		offset, err = s.findDivided(path, file)
	}
	s.add(path, offset, err)
	return nil
}

func (s *fileScan) readFile(path string) {
	f, err := os.Open(path)
	if err != nil {
		s.add(path, -1, err)
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	offset, err := s.find(path, f)
	s.add(path, offset, err)
}

// find returns the offset of a text in a file, or -1.
func (s *fileScan) find(path string, f *os.File) (int64, error) {
	if isGzip(f) || filepath.Ext(path) == ".gz" {
		return s.findZipped(f)
	}
	if !isMarkdown(path) {
		offset, err := s.texts.IndexReader(f)
		if offset < 0 && err == nil {
			offset, err = s.findDivided(path, f)
		}
		if _, isOfWorkspace := s.nameInWorkspace(path); offset < 0 && err == nil && !isOfWorkspace {
			err = archiveError(f)
		}
		return offset, err
	}
	src, err := io.ReadAll(f)
	if err != nil {
		return -1, err
	}
	offset, err := s.texts.IndexReader(bytes.NewReader(src))
	if err == nil && offset < 0 {
		offset = s.findBlock(src)
	}
	return offset, err
}

func isGzip(f io.ReaderAt) bool {
	magic := make([]byte, 3)
	_, _ = f.ReadAt(magic, 0)
	return string(magic) == "\x1f\x8b\x08"
}

// archives has the beginnings of files that have their content in another form.
//
//go:embed archives.tsv
var archives string

// archiveError returns why nothing can be found in an archive.
func archiveError(f io.ReaderAt) error {
	magic := make([]byte, 16)
	n, _ := f.ReadAt(magic, 0)
	for line := range strings.Lines(archives) {
		begin, name, isRow := strings.Cut(strings.TrimSpace(line), "\t")
		if isRow && strings.HasPrefix(hex.EncodeToString(magic[:n]), begin) {
			return errors.New("it is an archive of " + name + ", which cannot be searched")
		}
	}
	return nil
}

// findZipped searches a snapshot, or another compressed file.
func (s *fileScan) findZipped(f io.Reader) (int64, error) {
	zip, err := gzip.NewReader(f)
	if err != nil {
		return -1, err
	}
	src := bufio.NewReader(zip)
	magic, _ := src.Peek(len(databaseMagic))
	offset, err := s.texts.IndexReader(src)
	if err == nil && offset < 0 && string(magic) == databaseMagic {
		err = errors.New("it is a compressed database, which may divide a long text: unpack it to be sure")
	}
	return offset, err
}

// findDivided searches the pages of a database, or of its log or journal.
func (s *fileScan) findDivided(path string, file io.ReaderAt) (int64, error) {
	var of *pages
	for _, suffix := range []string{"-wal", "-journal"} {
		base, isBeside := strings.CutSuffix(path, suffix)
		if !isBeside {
			continue
		}
		if database, isOpen := s.open[base]; isOpen {
			of, _ = openPages(database, nil) // its own scan tells the error
		} else if f, err := os.Open(base); err == nil {
			defer func() { _ = f.Close() }() // it was only read
			of, _ = openPages(f, nil)
		}
	}
	p, err := openPages(file, of)
	if p == nil || err != nil {
		return -1, err
	}
	return indexDivided(s.texts, p)
}

// findBlock returns the offset of a Markdown block with one of the texts, or -1. A
// block may escape markup that the text has without a backslash.
func (s *fileScan) findBlock(src []byte) int64 {
	layout := chunker.Parse(src, frontmatter.Parse(src, time.UTC).BodyStart)
	if b := layout.Properties; b != nil && s.texts.HasBlock(b.Fingerprint) {
		return int64(b.Start)
	}
	for _, b := range layout.Blocks {
		if s.texts.HasBlock(b.Fingerprint) {
			return int64(b.Start)
		}
	}
	return -1
}

// nameInWorkspace returns the name of a file in the workspace, if it is there.
func (s *fileScan) nameInWorkspace(path string) (name string, is bool) {
	name, is = strings.CutPrefix(path, s.Workspace+string(filepath.Separator))
	return name, is && s.Workspace != ""
}

// add records the result of one file; an offset of -1 means not found.
func (s *fileScan) add(path string, offset int64, err error) {
	s.seen[path] = true
	c := memory.CheckedPlace{File: path, Found: offset >= 0}
	if c.Found {
		c.At = &offset
	}
	name, isOfWorkspace := s.nameInWorkspace(path)
	switch {
	case err != nil:
		c.Note = err.Error()
	case !isOfWorkspace:
	case c.Found && s.Indexed != nil && !s.Indexed(filepath.ToSlash(name)):
		c.Note = "not indexed"
	case !c.Found && !isOurs(name):
		return
	}
	s.answer.Add(c)
	if s.Progress != nil {
		n := len(s.answer.Checked)
		s.Progress(memory.Progress{Stage: "look", Done: n, Total: n})
	}
}
