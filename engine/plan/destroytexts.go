package plan

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// remover removes texts from Markdown, and the entries about them from front
// matter, with one write for each file.
type remover struct {
	*Executor
	texts   index.ForgottenTexts
	entries map[string][]frontmatter.Change // by the file that holds them
	resumed bool                            // an earlier run may have left a file that is not synced
}

func (f *Executor) newRemover(ctx context.Context, in index.Intent) (*remover, error) {
	r := &remover{Executor: f, entries: map[string][]frontmatter.Change{}}
	var err error
	if r.texts, err = f.DB.TextsToDestroy(ctx, in.Destroy); err != nil {
		return nil, err
	}
	copies, err := f.DB.ExactCopies(ctx, in.Destroy) // and copies that were added since
	if err != nil {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, slices.Concat(in.Destroy, copies))
	for _, decl := range declarations {
		for _, entry := range decl.Entries {
			change := frontmatter.Change{ID: decl.Memory.ID, Remove: true}
			if entry.Entry.IDPrefix != decl.Memory.ID.InFile() {
				change.Previous = &entry.Entry
			}
			if !slices.ContainsFunc(r.entries[entry.Path], func(has frontmatter.Change) bool { return has.ID == change.ID }) {
				r.entries[entry.Path] = append(r.entries[entry.Path], change)
			}
		}
	}
	return r, err
}

// WithoutDestroyed returns a change of a file without some texts, which a plan destroys. It
// reports false if one of them would be left in it.
func (f *Executor) WithoutDestroyed(ctx context.Context, p *Plan, texts []string, change FileChange) (left FileChange, ok bool, err error) {
	r, err := f.newRemover(ctx, p.Intent)
	if err != nil {
		return change, false, err
	}
	before, errBefore := r.withoutTexts(change.Path, change.Before)
	after, errAfter := r.withoutTexts(change.Path, change.After)
	contains := containsAny(texts)
	ok = errBefore == nil && errAfter == nil && !contains(string(before)) && !contains(string(after))
	return FileChange{change.Path, before, after}, ok, nil
}

// check reports what would keep the texts from being removed from a file, before
// anything is changed.
func (r *remover) check(path string) error {
	folder, err := r.Host.Folder()
	if err != nil {
		return err
	}
	src, _, err := folder.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	next, err := r.withoutTexts(path, src)
	if err != nil || bytes.Equal(next, src) {
		return err
	}
	if workspace.BinaryReason(next) != "" { // it would not be read, and the index would keep the text
		return memory.Conflict("the text is in %s, and what is left of that file would be no UTF-8 text", path).
			WithHint("save %s as UTF-8, then try again; nothing was changed", path)
	}
	if r.ReadOnly {
		return ReadOnlyError(r.Name, memory.ErrConflict)
	}
	err = folder.WriteObstacle(path)
	if reason := readOnlyReason(err); reason != "" {
		return notWritable(path, reason)
	}
	return err
}

func notWritable(path, reason string) error {
	return memory.Conflict("the text is in %s, which %s", path, reason).WithHint("make %s writable, without other hard links, then try again; nothing was changed", path)
}

// removeFrom removes the texts from the current content of one file.
func (r *remover) removeFrom(path string) (err error) {
	for range maxWriteTries {
		if err = r.tryRemoveFrom(path); !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
	return err
}

func (r *remover) tryRemoveFrom(path string) error {
	folder, err := r.Host.Folder()
	if err != nil {
		return err
	}
	src, _, err := folder.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the file is gone, and the text with it
	}
	if err != nil {
		return err
	}
	next, err := r.withoutTexts(path, src)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(next, src):
		return r.Replace(folder, FileChange{Path: path, Before: src, After: next})
	case r.resumed:
		return folder.Sync(path)
	}
	return nil
}

// withoutTexts returns a file's content without the texts and the entries about
// them.
func (r *remover) withoutTexts(path string, src []byte) ([]byte, error) {
	entries := r.entries[path]
	if path == memory.DecisionsFile {
		next, err := frontmatter.SetDecisions(src, r.Zone, entries)
		if err != nil {
			return nil, notEditable(path, err.Error())
		}
		return next, nil
	}
	m := frontmatter.Parse(src, r.Zone)
	spans := r.blockSpans(path, src, m)
	next, err := src, error(nil)
	if len(spans) == 0 && len(entries) == 0 {
		return src, nil
	}
	if m.HasConflict || m.Broken {
		return nil, notEditable(path, unreadableHead)
	}
	if len(spans) > 0 {
		before := chunker.Blocks(src, m.BodyStart)
		keeps := func(after []memory.Block) bool { return r.changesNothingElse(before, after, spans) }
		if next = r.removeSpans(src, m, spans, keeps); next == nil {
			return nil, notEditable(path, changesNeighbour)
		}
	}
	if len(entries) == 0 {
		return next, nil
	}
	if next, err = frontmatter.Set(next, r.Zone, entries); err != nil {
		return nil, notEditable(path, err.Error())
	}
	return next, nil
}

func notEditable(path, reason string) error {
	return memory.Conflict("the text cannot be removed from %s: %s", path, reason).
		WithHint("remove the text and the line about it from %s by hand, then destroy the memory", path)
}

// blockSpans returns the blocks that are to be removed from a file.
func (r *remover) blockSpans(path string, src []byte, m frontmatter.Parsed) (spans []frontmatter.Span) {
	layout := chunker.Parse(src, m.BodyStart)
	if b := layout.PropertiesOf(path); b != nil && r.matches(*b) {
		spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
	}
	for _, b := range layout.Blocks {
		if r.matches(b) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	return spans
}

func (r *remover) matches(b memory.Block) bool {
	return r.texts.Contains(b.Fingerprint, b.Text, b.Heading)
}

// changesNothingElse reports whether a file keeps all blocks but the removed ones, in order and
// under the same headings. It has no other block with one of the texts.
func (r *remover) changesNothingElse(before, after []memory.Block, removed []frontmatter.Span) bool {
	remaining, kept := after, 0
	for _, b := range before {
		if slices.ContainsFunc(removed, func(span frontmatter.Span) bool { return span.Start == b.Start }) {
			continue
		}
		if r.matches(b) {
			kept++
		}
		i := slices.IndexFunc(remaining, func(other memory.Block) bool {
			return other.Fingerprint == b.Fingerprint && slices.Equal(other.Heading, b.Heading)
		})
		if i < 0 {
			return false
		}
		remaining = remaining[i+1:]
	}
	for _, b := range after {
		if r.matches(b) {
			kept--
		}
	}
	return kept == 0
}
