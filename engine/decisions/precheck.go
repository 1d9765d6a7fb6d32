package decisions

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
func (f *Files) precheck(ctx context.Context, intent index.Intent) error {
	w := newWriter(f, intent.At, intent.Items)
	if err := f.refuseBeingDestroyed(ctx, intent); err != nil {
		return err
	}
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	folder, err := f.Host.Folder()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		unwritable, err := f.editObstacle(folder, path, edits[path])
		if err != nil {
			return err
		}
		if unwritable == "" {
			continue
		}
		if err := f.findContradiction(ctx, path, unwritable, edits[path], intent.Items); err != nil {
			return err
		}
	}
	return nil
}

// findContradiction returns a conflict if an entry in an unwritable file would
// still contradict a decision.
func (f *Files) findContradiction(ctx context.Context, path, unwritable string, e fileEdit, items []index.IntentItem) error {
	declarations, err := f.DB.Declarations(ctx, e.ids())
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		i := slices.IndexFunc(items, func(it index.IntentItem) bool { return it.ID == decl.Memory.ID })
		for _, entry := range decl.Entries {
			if entry.Path == path && !sameEntry(entry.Entry.Declared.Over(items[i].After), items[i].After, f.Zone) {
				return memory.Conflict("the line %s:%d contradicts this, and %s %s", path, entry.Entry.Line, path, unwritable).
					WithHint("remove the line by hand, then try again")
			}
		}
	}
	return nil
}

// BeingDestroyed returns the memories that an unfinished destroy left.
func BeingDestroyed(ctx context.Context, db *index.DB) (ids []memory.ID, err error) {
	open, err := db.Intents(ctx)
	for _, in := range open {
		ids = append(ids, in.Destroy...)
	}
	return ids, err
}

// refuseBeingDestroyed returns a conflict if a plan is about a memory that an
// unfinished destroy left.
func (f *Files) refuseBeingDestroyed(ctx context.Context, in index.Intent) error {
	ids, err := BeingDestroyed(ctx, f.DB)
	if err != nil {
		return err
	}
	for _, row := range in.Rows {
		if slices.Contains(ids, row.ID) {
			return memory.Conflict("%s is being destroyed", row.ID.Short()).
				WithHint("memory status reports what keeps destroy from finishing")
		}
	}
	return nil
}
