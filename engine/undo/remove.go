package undo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// removeStored removes the texts that a command wrote from their files. Copies elsewhere
// stay. It changes nothing if one of the texts was edited since.
func (c Commands) removeStored(ctx context.Context, now time.Time, rows []memory.AuditRow) error {
	var ids []memory.ID
	storedAt := map[memory.ID]time.Time{}
	for _, row := range rows {
		if plan.IsStored(row) {
			ids = append(ids, row.ID)
			storedAt[row.ID] = row.At
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := c.Decisions.Refresh(ctx, now, memory.ActionUndo, ids); err != nil {
		return err
	}
	declarations, err := c.DB.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	byPath := map[string][]memory.Memory{}
	for _, decl := range declarations {
		switch m := decl.Memory; {
		case m.Missing: // a person removed it, or an interrupted undo did
		case m.EditedAt != nil && m.EditedAt.After(storedAt[m.ID]):
			return editedError{memory.Conflict("%s was edited since it was stored, at %s:%d", m.ID.Short(), m.Path, m.LineStart).
				WithHint("memory forget %s hides it; memory undo 2 reverses the command before it", m.ID.Short())}
		default:
			m.Text = decl.WrittenText
			byPath[m.Path] = append(byPath[m.Path], m)
		}
	}
	edits := make([]*blockRemoval, 0, len(byPath))
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		edit, err := c.planRemoval(path, byPath[path])
		if err != nil {
			return err
		}
		edits = append(edits, edit)
	}
	for _, edit := range edits {
		appends, err := edit.folder.Replace(edit.path, sha256.Sum256(edit.src), edit.next)
		c.Decisions.Host.WatchAppends(appends)
		if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
			return err
		}
		if err = errors.Join(err, c.Decisions.Host.RefreshPaths(context.WithoutCancel(ctx), now, []string{edit.path})); err != nil {
			return err
		}
	}
	return nil
}

// editedError is the error for undoing the store of a text that was edited since.
type editedError struct{ err *memory.Error }

func (e editedError) Error() string { return e.err.Error() }
func (e editedError) Unwrap() error { return e.err }

// sameBlocks reports whether blocks are equal but for their place.
func sameBlocks(a, b []memory.Block) bool {
	return slices.EqualFunc(a, b, func(x, y memory.Block) bool {
		x.Start, x.End, x.LineStart, x.LineEnd = y.Start, y.End, y.LineStart, y.LineEnd
		return reflect.DeepEqual(x, y)
	})
}

// blockRemoval is a file before and after some of its memories are removed.
type blockRemoval struct {
	folder    *workspace.Workspace
	path      string
	src, next []byte
}

// planRemoval removes the lines of some memories from a file, in memory.
func (c Commands) planRemoval(path string, memories []memory.Memory) (*blockRemoval, error) {
	folder, err := c.Decisions.Host.Folder()
	if err != nil {
		return nil, err
	}
	err = folder.WriteObstacle(path)
	reason := decisions.ReadOnlyReason(err)
	if c.Decisions.ReadOnly {
		reason = "belongs to a read-only workspace"
	}
	if reason != "" {
		return nil, memory.Conflict("%s %s", path, reason).WithHint("make it writable, then try again; nothing was changed")
	}
	if err != nil {
		return nil, err
	}
	src, next, err := c.Without(folder, path, memories)
	return &blockRemoval{folder, path, src, next}, err
}

// Without returns a file as it is, and without the lines of some memories. It refuses a
// removal that would change another memory.
func (c Commands) Without(folder *workspace.Workspace, path string, memories []memory.Memory) (src, next []byte, err error) {
	if src, _, err = folder.Read(path); err != nil {
		return nil, nil, err
	}
	m := frontmatter.Parse(src, c.Decisions.Zone)
	if m.HasConflict || m.Broken {
		return nil, nil, notRemovable(path, "its front matter cannot be read, or it has git's conflict markers")
	}
	var spans []frontmatter.Span
	var kept []memory.Block
	for _, b := range chunker.Blocks(src, m.BodyStart) {
		if slices.ContainsFunc(memories, func(m memory.Memory) bool { return m.LineStart == b.LineStart && m.Text == b.Text }) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		} else {
			kept = append(kept, b)
		}
	}
	if len(spans) != len(memories) {
		return nil, nil, decisions.FileChanged(path)
	}
	for _, gap := range frontmatter.RemovalGaps(src) {
		next := frontmatter.RemoveBlocks(src, m, spans, gap)
		if after := frontmatter.Parse(next, c.Decisions.Zone); after.BodyStart == m.BodyStart && bytes.Equal(next[:after.BodyStart], src[:m.BodyStart]) &&
			sameBlocks(kept, chunker.Blocks(next, after.BodyStart)) {
			return src, next, nil
		}
	}
	return nil, nil, notRemovable(path, "without it, the text around it would become another memory")
}

func notRemovable(path, reason string) error {
	return memory.Conflict("the stored text cannot be removed from %s: %s", path, reason).
		WithHint("remove it from %s by hand; memory undo 2 reverses the command before it", path)
}

// removeNewFiles removes the files that a command made, if they are as the program began
// them. Nothing is in them then, or the head of a captured file. The folders that it made
// for them go as well, if they are empty. It returns what went wrong.
func (c Commands) removeNewFiles(ctx context.Context, now time.Time, rows []memory.AuditRow, declarations []index.Declarations) (notices []string) {
	for _, row := range rows {
		i := slices.IndexFunc(declarations, func(d index.Declarations) bool { return d.Memory.ID == row.ID })
		if !plan.MadeFile(row) || i < 0 {
			continue
		}
		path := declarations[i].Memory.Path
		if err := c.removeNewFile(ctx, now, path, plan.MadeFolders(row)); err != nil {
			notices = append(notices, fmt.Sprintf("the empty file %s could not be removed: %v", path, err))
		}
	}
	return notices
}

func (c Commands) removeNewFile(ctx context.Context, now time.Time, path string, folders []string) error {
	folder, err := c.Decisions.Host.Folder()
	if err != nil {
		return err
	}
	src, hash, err := decisions.ReadForEdit(folder, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !dailynote.IsAsBegun(src):
		return nil
	case err != nil:
		return err
	}
	if err := folder.Remove(path, hash); err != nil {
		return err
	}
	for _, name := range folders {
		if err := folder.RemoveFolder(name); err != nil {
			return err
		}
	}
	return c.Decisions.Host.RefreshPaths(ctx, now, []string{path})
}
