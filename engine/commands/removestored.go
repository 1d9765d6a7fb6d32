package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
)

// withoutStored returns the files without the texts that a command wrote, by its rows of the
// audit. Copies elsewhere stay. One that was edited since is an error.
func (c Commands) withoutStored(rows map[memory.ID]memory.AuditRow, declarations []index.Declarations) (changes []plan.FileChange, err error) {
	byPath := map[string][]memory.Memory{}
	for _, decl := range declarations {
		switch m := decl.Memory; {
		case !plan.IsStored(rows[m.ID]), m.Missing: // a person removed it, or an interrupted undo did
		case m.EditedAt != nil && m.EditedAt.After(rows[m.ID].At):
			return nil, editedError{memory.Conflict("%s was edited since it was stored, at %s:%d", m.ID.Short(), m.Path, m.LineStart).
				WithHint("memory forget %s hides it; memory undo 2 reverses the command before it", m.ID.Short())}
		default:
			m.Text = decl.WrittenText
			byPath[m.Path] = append(byPath[m.Path], m)
		}
	}
	if len(byPath) == 0 {
		return nil, nil
	}
	folder, err := c.Host.Folder()
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if err := c.RefuseUnwritable(folder, path); err != nil {
			return nil, err
		}
		change, err := c.Without(folder, path, byPath[path])
		if err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// editedError is the error for undoing the store of a text that was edited since.
type editedError struct{ err *memory.Error }

func (e editedError) Error() string { return e.err.Error() }
func (e editedError) Unwrap() error { return e.err }

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
	folder, err := c.Host.Folder()
	if err != nil {
		return err
	}
	src, hash, err := plan.ReadForEdit(folder, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !store.IsAsBegun(src):
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
	return c.Host.RefreshPaths(ctx, now, []string{path})
}
