package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// read reads what changed, and sorts it into the batch.
func (w *work) read(ctx context.Context, c changes) error {
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	for i, path := range c.read {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.seen[path] = true
		if err := w.readFile(path); err != nil {
			return err
		}
		w.progress(memory.Progress{Stage: "read", Done: i + 1, Total: len(c.read)})
	}
	for _, path := range c.removed {
		w.seen[path] = true
		w.batch.Removed = append(w.batch.Removed, path)
	}
	for len(c.faults) > 0 {
		path := c.faults[0].Path
		same := func(f memory.Fault) bool { return f.Path == path }
		w.unreadable(path, slices.DeleteFunc(slices.Clone(c.faults), func(f memory.Fault) bool { return !same(f) }))
		c.faults = slices.DeleteFunc(slices.Clone(c.faults), same)
	}
	return nil
}

func (w *work) readFile(path string) error {
	src, file, err := w.source.Read(path)
	var large *workspace.TooLarge
	switch {
	case errors.As(err, &large):
		w.unreadable(path, []memory.Fault{large.Fault()})
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return w.vanished(path)
	case errors.Is(err, memory.ErrUnavailable):
		return err // the whole folder is gone
	case err != nil:
		w.unreadable(path, []memory.Fault{{Path: path, Message: fmt.Sprintf("cannot be read: %v", err)}})
		return nil
	}
	state := memory.FileState{Path: path, Hash: sha256.Sum256(src), Stamp: file.Stamp, Size: file.Size,
		ModTime: file.ModTime, Defaults: w.source.Defaults(path)}
	w.understand(state, src)
	return nil
}

// vanished deals with a file that was there a moment ago. If it is there again,
// somebody is replacing it, and the next look finds the new one.
func (w *work) vanished(path string) error {
	_, there, err := w.source.Stat(path)
	if errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	if _, known := w.stored[path]; known && !there && err == nil {
		w.batch.Removed = append(w.batch.Removed, path)
	}
	return nil
}

// understand reads a file's front matter and blocks.
func (w *work) understand(state memory.FileState, src []byte) {
	was, known := w.stored[state.Path]
	if why := junk(src); why != "" {
		state.Declared, state.Entries = was.Declared, was.Entries
		w.leave(state, known, []memory.Fault{{Path: state.Path, Message: why}})
		return
	}
	parse := frontmatter.Parse
	if state.Path == memory.DecisionsFile {
		parse = frontmatter.ParseDecisions
	}
	m := parse(src, w.o.Zone)
	for i := range m.Faults {
		m.Faults[i].Path = state.Path
	}
	if m.HasConflict {
		state.Declared, state.Entries = was.Declared, was.Entries
		w.leave(state, known, m.Faults)
		return
	}
	state.Declared, state.Entries, state.Faults = m.FileDefaults, m.Entries, m.Faults
	if m.Broken && known {
		// What cannot be read was not taken back.
		state.Declared = m.FileDefaults.Over(was.Declared)
		state.Entries = withUnread(m.Entries, was.Entries)
	}
	if known && was.Hash == state.Hash && !w.force {
		w.same(state, was)
		return
	}
	w.batch.Files = append(w.batch.Files, state)
	if state.Path == memory.DecisionsFile {
		return // it holds no memory
	}
	for i, b := range chunker.Blocks(src, m.BodyStart) {
		w.fresh = append(w.fresh, identity.NewBlock{Path: state.Path, Ordinal: i, Block: b})
	}
}

// same deals with a file that holds the bytes that it held.
func (w *work) same(state, was memory.FileState) {
	state.Declared, state.Entries = was.Declared, was.Entries
	state.Faults = append(state.Faults, unmatched(state.Path, was.Entries)...)
	if slices.Equal(state.Faults, was.Faults) && reflect.DeepEqual(state.Defaults, was.Defaults) {
		w.batch.Touched = append(w.batch.Touched, state)
		return
	}
	w.batch.Rematched = append(w.batch.Rematched, state)
}

// leave keeps what was indexed of a file last, with the reason. Of a file that
// was never indexed it keeps the reason alone.
func (w *work) leave(state memory.FileState, known bool, why []memory.Fault) {
	state.Faults = why
	if known {
		w.batch.Rematched = append(w.batch.Rematched, state)
		return
	}
	w.batch.Files = append(w.batch.Files, state)
}

// unreadable notes why a path could not be looked at. It is looked at again each
// time, and written only when the reason is another one.
func (w *work) unreadable(path string, why []memory.Fault) {
	w.seen[path] = true
	state, known := w.stored[path]
	if known && slices.Equal(state.Faults, why) {
		return
	}
	state.Path, state.Stamp = path, ""
	w.leave(state, known, why)
}

// withUnread adds the decisions that stood in a file before its front matter
// broke to those that can still be read.
func withUnread(read, was []memory.Entry) []memory.Entry {
	for _, e := range was {
		if !slices.ContainsFunc(read, func(r memory.Entry) bool { return r.IDPrefix == e.IDPrefix && r.Quote == e.Quote }) {
			read = append(read, e)
		}
	}
	return read
}
