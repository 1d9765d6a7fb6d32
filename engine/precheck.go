package engine

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// precheck refuses a plan, before anything changes, that cannot be written. The
// reasons are broken front matter, and a contradicting entry in a file that cannot
// be written.
func (s *workspaceState) precheck(ctx context.Context, in index.Intent) error {
	w := writer{workspaceState: s, items: in.Items, sidecarOnly: map[memory.ID]string{}}
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		src, _, err := readForEdit(folder, path)
		if err != nil {
			return err
		}
		_, err = applyChanges(path, src, s.Zone, edits[path].changes)
		locked := readOnlyReason(err)
		if locked == "" && err != nil {
			return err
		}
		if s.Options.ReadOnly {
			locked = "belongs to a read-only workspace"
		} else if info, err := os.Stat(filepath.Join(s.Dir, filepath.FromSlash(path))); err == nil && info.Mode().Perm()&0o222 == 0 {
			locked = "cannot be written"
		}
		if locked == "" {
			continue
		}
		if err := s.findContradiction(ctx, path, locked, edits[path], in.Items); err != nil {
			return err
		}
	}
	return nil
}

// findContradiction returns a conflict if an entry in an unwritable file would
// still contradict a decision.
func (s *workspaceState) findContradiction(ctx context.Context, path, locked string, e fileEdit, items []index.IntentItem) error {
	declarations, err := s.db.Declarations(ctx, e.ids())
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		i := slices.IndexFunc(items, func(it index.IntentItem) bool { return it.ID == decl.Memory.ID })
		for _, entry := range decl.Entries {
			if entry.Path == path && !sameEntry(entry.Entry.Declared.Over(items[i].After), items[i].After, s.Zone) {
				return memory.Conflict("the line %s:%d contradicts this, and %s %s", path, entry.Entry.Line, path, locked).
					WithHint("remove the line by hand, then try again")
			}
		}
	}
	return nil
}
