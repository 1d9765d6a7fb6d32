package migrate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// Write writes the files of a plan that its journal lists. If that fails, it removes
// those that it wrote. The journal must be saved before.
func Write(ctx context.Context, w *workspace.Workspace, p *Plan, j *Journal, progress func(files int)) error {
	for i, f := range p.Files {
		err := ctx.Err()
		if err == nil {
			_, err = w.Replace(f.Path, memory.Hash{}, f.Text)
		}
		if err == nil && !f.Time.IsZero() {
			err = w.SetTime(f.Path, f.Time)
		}
		if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
			_, undoErr := Undo(context.WithoutCancel(ctx), w, []*Journal{j}, true)
			return errors.Join(err, undoErr)
		}
		progress(i + 1)
	}
	return nil
}

// Undone is what taking back a migration did.
type Undone struct {
	Removed []string // files
	Kept    []string // files that somebody edited, or that cannot be read
}

// Undo removes the files of migrations and the folders that they made, and deletes the
// journals. A file that somebody edited is a conflict, before anything changes. With
// keepEdited it stays as it is, and so does a file that cannot be read.
func Undo(ctx context.Context, w *workspace.Workspace, journals []*Journal, keepEdited bool) (u Undone, err error) {
	if u, err = PreviewUndo(ctx, w, journals, keepEdited); err != nil {
		return u, err
	}
	if err := w.CleanUp(ctx); err != nil {
		return u, err
	}
	for _, j := range slices.Backward(journals) {
		for _, f := range j.Files {
			if slices.Contains(u.Kept, f.Path) {
				continue
			}
			if err := w.Remove(f.Path, f.hash()); err != nil {
				return u, err
			}
		}
		for _, folder := range slices.Backward(j.Folders) {
			if err := w.RemoveFolder(folder); err != nil {
				return u, memory.Unavailable(err, "remove the folder %s", folder)
			}
		}
		if err := j.Delete(); err != nil {
			return u, err
		}
	}
	return u, nil
}

// PreviewUndo returns what Undo would do.
func PreviewUndo(_ context.Context, w *workspace.Workspace, journals []*Journal, keepEdited bool) (u Undone, err error) {
	for _, j := range journals {
		for _, f := range j.Files {
			if !w.Exists(f.Path) {
				continue
			}
			same, err := w.HasHash(f.Path, f.hash())
			if err != nil && !keepEdited {
				return u, err
			}
			if err == nil && same {
				u.Removed = append(u.Removed, f.Path)
			} else {
				u.Kept = append(u.Kept, f.Path)
			}
		}
	}
	if len(u.Kept) > 0 && !keepEdited {
		return u, memory.Conflict("somebody edited what the migration wrote: %s", list(u.Kept)).
			WithHint("--keep-edited keeps these files as they are, and removes the others; or move the files away first")
	}
	return u, nil
}

// maxListed is the number of names in an error.
const maxListed = 5

func list(names []string) string {
	text := ""
	for i, name := range names {
		if i == maxListed {
			return fmt.Sprintf("%s and %d more", text, len(names)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}
