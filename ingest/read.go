package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/ingest/documents"
	"github.com/memory-tiered/memory/workspace"
)

// readChanges reads the changed files and adds them to the batch.
func (r *run) readChanges(ctx context.Context, c changes) error {
	r.batch.Files = slices.Grow(r.batch.Files, len(c.toRead))
	r.read = slices.Grow(r.read, len(c.toRead))
	for i, path := range c.toRead {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.visited[path] = true
		if err := r.readFile(ctx, path); err != nil {
			return err
		}
		r.progress(memory.Progress{Stage: "read", Done: i + 1, Total: len(c.toRead)})
	}
	for _, path := range c.removed {
		r.visited[path] = true
		r.batch.Removed = append(r.batch.Removed, path)
	}
	for len(c.faults) > 0 {
		path := c.faults[0].Path
		same := func(f memory.Fault) bool { return f.Path == path }
		r.addUnreadable(path, slices.DeleteFunc(slices.Clone(c.faults), func(f memory.Fault) bool { return !same(f) }))
		c.faults = slices.DeleteFunc(slices.Clone(c.faults), same)
	}
	for _, link := range c.badLinks {
		if slices.Contains(c.removed, link.Path) {
			r.replacedByLinks = append(r.replacedByLinks, link.Path)
		} else {
			r.addUnreadable(link.Path, []memory.Fault{link})
		}
	}
	return nil
}

func (r *run) readFile(ctx context.Context, path string) error {
	src, file, err := r.source.Read(path)
	var large *workspace.TooLarge
	switch {
	case errors.As(err, &large):
		r.addUnreadable(path, []memory.Fault{large.Fault()})
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return r.handleVanished(path)
	case errors.Is(err, memory.ErrUnavailable):
		return err // the whole workspace is missing
	case err != nil:
		r.addUnreadable(path, []memory.Fault{{Path: path, Message: fmt.Sprintf("cannot be read: %v", err)}})
		return nil
	}
	state := memory.FileState{Path: path, Hash: sha256.Sum256(src), Stamp: file.Stamp, Size: file.Size,
		ModTime: file.ModTime, Defaults: r.source.Defaults(path)}
	if r.options.Documents {
		return r.readDocument(ctx, state, src)
	}
	r.parseFile(state, src)
	return nil
}

// handleVanished handles a file that disappeared after the check. If it exists
// again, an editor is replacing it, and the next scan finds the new file.
func (r *run) handleVanished(path string) error {
	_, exists, err := r.source.Stat(path)
	if errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	if _, known := r.indexedFile(path); known && !exists && err == nil {
		r.batch.Removed = append(r.batch.Removed, path)
	}
	return nil
}

// parseFile reads a file's front matter and blocks.
func (r *run) parseFile(state memory.FileState, src []byte) {
	was, known := r.indexedFile(state.Path)
	if reason := workspace.BinaryReason(src); reason != "" {
		state.Declared, state.Entries = was.Declared, was.Entries
		r.keepUnreadable(state, known, []memory.Fault{{Path: state.Path, Message: reason}})
		return
	}
	parse := frontmatter.Parse
	if state.Path == memory.DecisionsFile {
		parse = frontmatter.ParseDecisions
	}
	m := parse(src, r.options.Zone)
	for i := range m.Faults {
		m.Faults[i].Path = state.Path
	}
	if m.HasConflict {
		state.Declared, state.Entries = was.Declared, keepUnreadEntries(m.ProtectingEntries(), was.Entries)
		if m.Withheld {
			state.Declared = m.FileDefaults.Over(was.Declared)
		}
		r.keepIndexed(state, known, m.Faults)
		return
	}
	state.Declared, state.Entries, state.Faults = m.FileDefaults, m.Entries, m.Faults
	if m.Broken && known {
		// Declarations that cannot be parsed still apply.
		state.Declared = m.FileDefaults.Over(was.Declared)
	}
	if (m.Broken || m.EntriesUnread) && known {
		state.Entries = keepUnreadEntries(m.Entries, was.Entries)
	}
	r.batch.DecisionsLost = r.batch.DecisionsLost || m.NoList
	unchanged := known && was.Hash == state.Hash && was.Stamp != memory.PartialStamp && !r.force
	var layout chunker.Layout
	// The decisions file contains no memories. An unchanged file has the same
	// blocks, and no faults if it had none.
	if state.Path != memory.DecisionsFile && (!unchanged || len(was.Faults) > 0) {
		layout = chunker.ParseIn(src, m.BodyStart, r.options.Zone)
	}
	state.Declared = layout.Protect(state.Declared)
	if r.options.OfClient {
		about := frontmatter.Describe(src, m)
		layout, state.Declared.Created = layout.Below(about.Text), cmp.Or(state.Declared.Created, about.Modified)
	}
	blocks := r.withoutDestroyed(&state, layout.Blocks)
	var properties []memory.Block
	if b := layout.PropertiesOf(state.Path); b != nil {
		properties = r.withoutDestroyed(&state, []memory.Block{*b})
	}
	for _, f := range layout.Faults {
		f.Path = state.Path
		state.Faults = append(state.Faults, f)
	}
	aliases := r.withoutDestroyedFields(&state, layout.Aliases)
	if unchanged {
		r.handleUnchanged(state, was)
		return
	}
	state.Declared.Aliases = aliases
	r.batch.Files = append(r.batch.Files, state)
	from := len(r.read)
	r.read = slices.Grow(r.read, len(blocks)+1)
	add := func(ordinal int, b memory.Block) {
		user := cmp.Or(b.Annotations.User, state.Declared.User, state.Defaults.User)
		r.read = append(r.read, identity.NewBlock{Path: state.Path, Ordinal: ordinal, User: user, Block: b})
	}
	for _, b := range properties {
		add(memory.PropertiesOrdinal, b)
	}
	for i, b := range blocks {
		isEntry := func(line int) bool { return b.LineStart <= line && line <= b.LineEnd }
		if slices.ContainsFunc(m.StrayEntries, isEntry) || r.options.OfClient && chunker.IsPointer(b) {
			continue
		}
		add(i, b)
	}
	r.spans[state.Path] = span{from, len(r.read)}
	r.aliases[state.Path] = aliases
	maps.Copy(r.speakers, findSpeakers(r.read[from:]))
}

// readDocument reads the passages of a document, which declares nothing.
func (r *run) readDocument(ctx context.Context, state memory.FileState, src []byte) error {
	was, known := r.indexedFile(state.Path)
	if known && was.Hash == state.Hash && was.Stamp != memory.PartialStamp && len(was.Faults) == 0 && !r.force {
		r.handleUnchanged(state, was)
		return nil
	}
	passages, err := documents.Read(ctx, state.Path, src, r.options.Extract)
	if errors.Is(err, memory.ErrUnavailable) {
		r.addUnreadable(state.Path, []memory.Fault{{Path: state.Path, Message: err.Error()}})
		return ctx.Err()
	}
	if err != nil {
		r.keepIndexed(state, known, []memory.Fault{{Path: state.Path, Message: err.Error()}})
		return ctx.Err()
	}
	passages = r.withoutDestroyed(&state, passages)
	r.batch.Files = append(r.batch.Files, state)
	from := len(r.read)
	for i, b := range passages {
		r.read = append(r.read, identity.NewBlock{Path: state.Path, Ordinal: i, Block: b})
	}
	r.spans[state.Path] = span{from, len(r.read)}
	return nil
}

// handleUnchanged handles a file with unchanged bytes.
func (r *run) handleUnchanged(state, was memory.FileState) {
	state.Declared, state.Entries = was.Declared, was.Entries
	state.Faults = append(state.Faults, unmatchedFaults(state.Path, was.Entries)...)
	if slices.Equal(state.Faults, was.Faults) && reflect.DeepEqual(state.Defaults, was.Defaults) {
		r.batch.Touched = append(r.batch.Touched, state)
		return
	}
	r.batch.Rematched = append(r.batch.Rematched, state)
}

// keepIndexed keeps the last indexed version of a file and sets the faults. A
// file that was never indexed gets only the faults.
func (r *run) keepIndexed(state memory.FileState, known bool, faults []memory.Fault) {
	state.Faults = faults
	if known {
		r.batch.Rematched = append(r.batch.Rematched, state)
		return
	}
	r.batch.Files = append(r.batch.Files, state)
}

// addUnreadable records why a path cannot be checked. Every run checks it
// again, but writes only a changed reason.
func (r *run) addUnreadable(path string, faults []memory.Fault) {
	r.visited[path] = true
	state, known := r.indexedFile(path)
	if known && slices.Equal(state.Faults, faults) {
		return
	}
	state.Path, state.Stamp = path, ""
	r.keepUnreadable(state, known, faults)
}

// keepUnreadable keeps the last indexed version of a file that cannot be read. A decisions file
// that was never read may protect any memory.
func (r *run) keepUnreadable(state memory.FileState, known bool, faults []memory.Fault) {
	if !known && state.Path == memory.DecisionsFile {
		state.Entries = []memory.Entry{{Line: 1, Declared: memory.Declared{Private: new(true), User: memory.NobodyUser}}}
	}
	r.keepIndexed(state, known, faults)
}

// keepUnreadEntries adds the entries from before the front matter became
// invalid to those that can still be parsed.
func keepUnreadEntries(read, was []memory.Entry) []memory.Entry {
	for _, e := range was {
		if !isUnread(e) && !slices.ContainsFunc(read, func(r memory.Entry) bool { return r.IDPrefix == e.IDPrefix && r.Quote == e.Quote }) {
			read = append(read, e)
		}
	}
	return read
}
