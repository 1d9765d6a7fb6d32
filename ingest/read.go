package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// read reads what changed, and sorts it into the batch.
func (w *work) read(ctx context.Context, progress func(memory.Progress)) error {
	w.batch.Force = w.force
	for i, path := range w.seen.read {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.readFile(path); err != nil {
			return err
		}
		progress(memory.Progress{Stage: "read", Done: i + 1, Total: len(w.seen.read)})
	}
	for _, path := range w.seen.removed {
		w.batch.Removed = append(w.batch.Removed, path)
	}
	for _, f := range w.seen.faults {
		w.unreadable(f)
	}
	return nil
}

func (w *work) readFile(path string) error {
	src, file, err := w.source.Read(path)
	var large *workspace.TooLarge
	switch {
	case errors.As(err, &large):
		w.unreadable(large.Fault())
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if _, known := w.stored[path]; known {
			w.batch.Removed = append(w.batch.Removed, path)
		}
		return nil
	case errors.Is(err, memory.ErrUnavailable):
		return err // the whole folder is gone
	case err != nil:
		w.unreadable(memory.Fault{Path: path, Message: fmt.Sprintf("cannot be read: %v", err)})
		return nil
	}
	was, known := w.stored[path]
	state := memory.FileState{Path: path, Hash: sha256.Sum256(src), Stamp: file.Stamp, Size: file.Size,
		ModTime: file.ModTime, Defaults: w.source.Defaults(path)}
	return w.understand(state, was, known, src)
}

// understand reads a file's front matter and blocks.
func (w *work) understand(state, was memory.FileState, known bool, src []byte) error {
	if known && was.Hash == state.Hash && !w.force {
		was.Stamp, was.Size, was.ModTime = state.Stamp, state.Size, state.ModTime
		w.batch.Touched = append(w.batch.Touched, was)
		return nil
	}
	m := frontmatter.Parse(src, w.o.Zone)
	for i := range m.Faults {
		m.Faults[i].Path = state.Path
	}
	state.Faults = m.Faults
	if m.Conflict && known {
		// What was indexed last stays served until the markers are gone.
		state.Declared, state.Entries = was.Declared, was.Entries
		w.batch.Restated = append(w.batch.Restated, state)
		return nil
	}
	state.Declared, state.Entries = m.File, m.Entries
	if m.Broken && known {
		state.Entries = was.Entries // what cannot be read was not taken back
	}
	w.batch.Files = append(w.batch.Files, state)
	if m.Conflict {
		return nil // never indexed before, and nobody knows which side is meant
	}
	for i, b := range chunker.Blocks(src, m.Body) {
		w.fresh = append(w.fresh, identity.Fresh{Path: state.Path, Ordinal: i, Block: b})
	}
	return nil
}

// unreadable notes a fault with what could not be looked at. What was indexed
// of a file stays.
func (w *work) unreadable(f memory.Fault) {
	state, known := w.stored[f.Path]
	if known && slices.Equal(state.Faults, []memory.Fault{f}) {
		return
	}
	state.Path, state.Faults, state.Stamp = f.Path, []memory.Fault{f}, ""
	if known && state.Hash != (memory.Hash{}) {
		w.batch.Restated = append(w.batch.Restated, state)
		return
	}
	w.batch.Files = append(w.batch.Files, state)
}
