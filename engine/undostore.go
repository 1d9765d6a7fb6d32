package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// auditStored writes to the audit that a command has stored a memory, so that undo knows
// it. isNewFile tells that the command made the memory's file.
func (s *workspaceState) auditStored(ctx context.Context, now time.Time, m memory.Memory, isNewFile bool, action string, c plan.Command) error {
	p := c.Plan(now, memory.Action(action))
	p.RecordChange(m, m)
	p.NoteNewFile(isNewFile)
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.Audit(p.Rows...) })
}

// removeNewFiles removes the files that a command made, if they are as the program began
// them. Nothing is in them then, or the head of a captured file. It returns what went wrong.
func (s *workspaceState) removeNewFiles(ctx context.Context, now time.Time, rows []memory.AuditRow, declarations []index.Declarations) (notices []string) {
	for _, row := range rows {
		i := slices.IndexFunc(declarations, func(d index.Declarations) bool { return d.Memory.ID == row.ID })
		if !plan.MadeFile(row) || i < 0 {
			continue
		}
		path := declarations[i].Memory.Path
		if err := s.removeNewFile(ctx, now, path); err != nil {
			notices = append(notices, fmt.Sprintf("the empty file %s could not be removed: %v", path, err))
		}
	}
	return notices
}

func (s *workspaceState) removeNewFile(ctx context.Context, now time.Time, path string) error {
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	src, hash, err := decisions.ReadForEdit(folder.Workspace, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !dailynote.IsAsBegun(src):
		return nil
	case err != nil:
		return err
	}
	if err := folder.Remove(path, hash); err != nil {
		return err
	}
	return s.RefreshPaths(ctx, now, []string{path})
}

// capturedNotices reports what was captured after a command that is undone. A person
// did not ask for it, so undo leaves it.
func (s *workspaceState) capturedNotices(ctx context.Context, batch string) (notices []string, err error) {
	ids, err := s.db.CapturedAfter(ctx, batch)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return []string{fmt.Sprintf("undo leaves what was captured from conversations since then: %s; memory forget ID hides one", lookup.ShortIDs(ids))}, nil
}

// removeStored removes the texts that a command wrote from their files. Copies elsewhere
// stay. It changes nothing if one of the texts was edited since.
func (s *workspaceState) removeStored(ctx context.Context, now time.Time, rows []memory.AuditRow) error {
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
	if err := s.decisions.Refresh(ctx, now, memory.ActionUndo, ids); err != nil {
		return err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	byPath := map[string][]memory.Memory{}
	for _, decl := range declarations {
		switch m := decl.Memory; {
		case m.Missing: // a person removed it, or an interrupted undo did
		case m.EditedAt != nil && m.EditedAt.After(storedAt[m.ID]):
			return linesGone{memory.Conflict("%s was edited since it was stored, at %s:%d", m.ID.Short(), m.Path, m.LineStart).
				WithHint("memory forget %s hides it; memory undo 2 reverses the command before it", m.ID.Short())}
		default:
			byPath[m.Path] = append(byPath[m.Path], m)
		}
	}
	edits := make([]*blockRemoval, 0, len(byPath))
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		edit, err := s.planRemoval(ctx, path, byPath[path])
		if err != nil {
			return err
		}
		edits = append(edits, edit)
	}
	for _, edit := range edits {
		if err := s.replaceFile(context.WithoutCancel(ctx), now, edit.folder, edit.path, edit.src, edit.next); err != nil {
			return err
		}
	}
	return nil
}

// blockRemoval is a file before and after some of its memories are removed.
type blockRemoval struct {
	folder    *workspaceFolder
	path      string
	src, next []byte
}

// planRemoval removes the lines of some memories from a file, in memory. It refuses a
// removal that would change another memory.
func (s *workspaceState) planRemoval(ctx context.Context, path string, memories []memory.Memory) (*blockRemoval, error) {
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	if err := s.refuseUnwritable(folder, path); err != nil {
		return nil, err
	}
	src, err := s.readIndexed(ctx, folder, path)
	if err != nil {
		return nil, err
	}
	m := frontmatter.Parse(src, s.Zone)
	if m.HasConflict || m.Broken {
		return nil, notRemovable(path, "its front matter cannot be read, or it has git's conflict markers")
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
		return nil, decisions.FileChanged(path)
	}
	for _, gap := range frontmatter.RemovalGaps(src) {
		next := frontmatter.RemoveBlocks(src, m, spans, gap)
		if after := frontmatter.Parse(next, s.Zone); after.BodyStart == m.BodyStart && bytes.Equal(next[:after.BodyStart], src[:m.BodyStart]) &&
			sameBlocks(kept, chunker.Blocks(next, after.BodyStart)) {
			return &blockRemoval{folder, path, src, next}, nil
		}
	}
	return nil, notRemovable(path, "without it, the text around it would become another memory")
}

func notRemovable(path, reason string) error {
	return memory.Conflict("the stored text cannot be removed from %s: %s", path, reason).
		WithHint("remove it from %s by hand; memory undo 2 reverses the command before it", path)
}

// setsContext reports whether a command set or cleared the current context.
func setsContext(row memory.AuditRow) bool {
	return row.Action == memory.AuditSetContext || row.Action == memory.AuditClearContext
}

// undoContext makes the context current again that a command replaced or cleared.
func (s *workspaceState) undoContext(ctx context.Context, now time.Time, r memory.DecideRequest, row memory.AuditRow) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	if r.Preview {
		return a, nil
	}
	p := plan.New(now, memory.ActionUndo, r.Source, false)
	p.RecordUndo(row.Batch, []memory.AuditRow{row})
	restored := false
	user, _ := row.New[contextUser].(string) // without one: everybody's
	err := s.db.Update(ctx, now, func(tx *index.Tx) (err error) {
		if restored, err = tx.RestoreContext(row.Batch, user); err != nil {
			return err
		}
		return tx.Audit(p.Rows...)
	})
	if err != nil {
		return a, err
	}
	a.Batch = p.Batch
	a.Notices = append(a.Notices, "no current context is set any more; the one before has expired, or there was none")
	if restored {
		a.Notices[0] = "the former context is current again"
	}
	return a, nil
}
