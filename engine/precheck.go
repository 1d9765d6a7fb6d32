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

// precheck refuses, before anything is changed, what could not be carried out:
// front matter that is broken, and a line that says the opposite in a file that
// cannot be written.
func (s *workspaceState) precheck(ctx context.Context, in index.Intent) error {
	w := writer{workspaceState: s, items: in.Items, sidecarOnly: map[memory.ID]string{}}
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	d, err := s.openFolder()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		src, _, err := readForEdit(d, path)
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

// findContradiction finds a line in a file that is not written to that would still
// say the opposite of what was decided.
func (s *workspaceState) findContradiction(ctx context.Context, path, locked string, e fileEdit, items []index.IntentItem) error {
	stances, err := s.db.Declarations(ctx, e.ids())
	if err != nil {
		return err
	}
	for _, st := range stances {
		i := slices.IndexFunc(items, func(it index.IntentItem) bool { return it.ID == st.Memory.ID })
		for _, l := range st.Entries {
			if l.Path == path && !sameEntry(l.Entry.Declared.Over(items[i].After), items[i].After, s.Zone) {
				return memory.Conflict("%s:%d says otherwise, and %s %s", path, l.Entry.Line, path, locked).
					WithHint("take the line out by hand, then try again")
			}
		}
	}
	return nil
}
