// Package transfer moves the memories of a workspace to another one, and back: their
// Markdown, and what only the index knows about them. An export is lines of JSON: a header,
// one memory a line, and a last line. That has the number of memories and a SHA-256 of all
// lines before it. A reader checks all of it before it changes anything.
package transfer

import (
	"context"
	"crypto/sha256"
	"io"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/exportlines"
	"github.com/memory-tiered/memory/workspace"
)

// Notes of a header, for a person who opens the file.
const (
	redactedNote = "texts, headings and lines of Markdown are left out; --with-text exports them"
	withTextNote = "contains texts, also forgotten and private ones: keep it as safe as the workspace"
)

// Source is the workspace of an export.
type Source struct {
	Name   string
	DB     *index.DB
	Folder *workspace.Workspace
}

// Export writes the memories that a predicate selects. Without text it writes their state
// only. whole means that the predicate selects all memories.
func (s Source) Export(ctx context.Context, p memory.Predicate, version string, withText, whole bool, out io.Writer) (end memory.ExportEnd, err error) {
	files := fileCache{folder: s.Folder}
	header := memory.ExportHeader{WithText: withText, Version: version, Note: redactedNote}
	if withText {
		header.Note = withTextNote
	}
	if withText && whole {
		if header.Marks, err = s.DB.ExportMarks(ctx); err != nil {
			return end, err
		}
	}
	return s.write(ctx, p, false, header, out, func(row *memory.ExportRow) error {
		if withText {
			row.Markdown = files.lines(*row)
		} else {
			index.RedactExport(row)
		}
		return nil
	})
}

// ExportDecisions writes what is decided about all memories, also about those whose text is
// in no file, and no text.
func (s Source) ExportDecisions(ctx context.Context, header memory.ExportHeader, out io.Writer) (memory.ExportEnd, error) {
	all := memory.Predicate{Archive: true, Forgotten: memory.Include, Missing: memory.Include}
	return s.write(ctx, all, true, header, out, index.KeepDecisions)
}

// write writes an export. complete finishes each row.
func (s Source) write(ctx context.Context, p memory.Predicate, onlyState bool, header memory.ExportHeader, out io.Writer, complete func(*memory.ExportRow) error) (end memory.ExportEnd, err error) {
	w := exportlines.New(out)
	header.Workspace = s.Name
	err = s.DB.Export(ctx, p, onlyState, func(memories int) error {
		header.Memories = memories
		return w.Begin(header)
	}, func(row memory.ExportRow) error {
		if err := complete(&row); err != nil {
			return err
		}
		return w.Add(row)
	})
	if err != nil {
		return end, err
	}
	return w.End()
}

// fileCache returns the lines of memories, which arrive file by file.
type fileCache struct {
	folder *workspace.Workspace
	path   string
	text   []byte
	hash   memory.Hash
}

// lines returns the lines of a memory as its file has them. It returns nil if the file
// changed since it was indexed, or if the memory has no lines of its own.
func (f *fileCache) lines(row memory.ExportRow) *string {
	span := row.Block
	if span == nil {
		return nil
	}
	if f.path != row.Memory.Path {
		f.path = row.Memory.Path
		f.text, _, _ = f.folder.Read(f.path) // a file that cannot be read has no lines
		f.hash = sha256.Sum256(f.text)
	}
	if f.hash != span.FileHash || span.End > len(f.text) {
		return nil
	}
	lines := string(f.text[span.Start:span.End])
	return &lines
}
