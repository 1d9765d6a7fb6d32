package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// precheck refuses a plan, before anything changes, that cannot be written. The
// reasons are broken front matter, and a contradicting entry in a file that cannot
// be written.
func (s *workspaceState) precheck(ctx context.Context, intent index.Intent) error {
	w := writer{workspaceState: s, items: intent.Items, sidecarOnly: map[memory.ID]string{}}
	if err := s.refuseBeingDestroyed(ctx, intent); err != nil {
		return err
	}
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		unwritable, err := s.editObstacle(folder, path, edits[path])
		if err != nil {
			return err
		}
		if unwritable == "" {
			continue
		}
		if err := s.findContradiction(ctx, path, unwritable, edits[path], intent.Items); err != nil {
			return err
		}
	}
	return nil
}

// findContradiction returns a conflict if an entry in an unwritable file would
// still contradict a decision.
func (s *workspaceState) findContradiction(ctx context.Context, path, unwritable string, e fileEdit, items []index.IntentItem) error {
	declarations, err := s.db.Declarations(ctx, e.ids())
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		i := slices.IndexFunc(items, func(it index.IntentItem) bool { return it.ID == decl.Memory.ID })
		for _, entry := range decl.Entries {
			if entry.Path == path && !sameEntry(entry.Entry.Declared.Over(items[i].After), items[i].After, s.Zone) {
				return memory.Conflict("the line %s:%d contradicts this, and %s %s", path, entry.Entry.Line, path, unwritable).
					WithHint("remove the line by hand, then try again")
			}
		}
	}
	return nil
}
