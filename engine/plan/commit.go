package plan

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// maxWriteTries bounds how often a write starts again after another program changed
// the file. More tries would compete with a program that writes all the time.
const maxWriteTries = 3

// Refresh indexes the current content of the files that hold the memories or
// entries about them. For destroy it indexes all files, because it must find every
// copy.
func (f *Executor) Refresh(ctx context.Context, now time.Time, action memory.Action, ids []memory.ID) error {
	if action == memory.ActionDestroy {
		return f.Host.RefreshAll(ctx, now)
	}
	declarations, err := f.DB.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	return f.Host.RefreshPaths(ctx, now, pathsOf(declarations))
}

func pathsOf(declarations []index.Declarations) (paths []string) {
	for _, decl := range declarations {
		if !decl.Memory.Missing {
			paths = append(paths, decl.Memory.Path)
		}
		for _, entry := range decl.Entries {
			paths = append(paths, entry.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// completeIntent writes an intent into files and ends it. then writes further rows together
// with its end. The intent stays if a file changes all the time, or if the disk does not confirm
// one that was written. The next scan and the next decision go on with it. What may not be
// written at all is kept in the index.
func (f *Executor) completeIntent(ctx context.Context, now time.Time, intent index.Intent, then func(*index.Tx) error, progress func(memory.Progress)) ([]string, error) {
	w := newWriter(f, now, intent.Items)
	w.progress = progress
	if err := w.run(ctx); err != nil {
		return nil, unfinishedIntent(intent, err)
	}
	for _, item := range intent.Items {
		if err := w.failed[item.ID]; err != nil {
			return nil, unfinishedIntent(intent, err)
		}
	}
	if w.unsynced != nil {
		return nil, unfinishedIntent(intent, w.unsynced)
	}
	sidecarOnly := map[memory.ID]bool{}
	for id := range w.sidecarOnly {
		sidecarOnly[id] = true
	}
	if err := f.DB.Update(ctx, now, func(tx *index.Tx) error { return errors.Join(tx.FinishIntent(intent, sidecarOnly), then(tx)) }); err != nil {
		return nil, unfinishedIntent(intent, err)
	}
	return w.notices(), nil
}

// Unfinished is the error of an intent that is not done. The next index finishes it.
type Unfinished struct{ error }

func (u Unfinished) Unwrap() error { return u.error }

// unfinishedIntent returns the error for an intent that is not done.
func unfinishedIntent(intent index.Intent, err error) error {
	return Unfinished{becauseOf(err, intent.Action+" has begun and could not be finished",
		"it finishes as soon as the file and the index can be written; memory undo can reverse it then")}
}

// becauseOf returns an error of the kind of its cause; unavailable if that has none.
func becauseOf(cause error, message, hint string) *memory.Error {
	known := &memory.Error{Kind: memory.ErrUnavailable}
	errors.As(cause, &known)
	return &memory.Error{Kind: known.Kind, Message: message, Cause: cause, Hint: hint}
}

// FinishIntents completes interrupted intents: all, or all but those of destroy.
func (f *Executor) FinishIntents(ctx context.Context, now time.Time, includeDestroy bool) error {
	open, err := f.DB.Intents(ctx)
	if err == nil && includeDestroy && slices.ContainsFunc(open, func(in index.Intent) bool { return len(in.Destroy) > 0 }) {
		// A text that is to be destroyed may have moved to another file, or was edited.
		if err = f.Host.RefreshAll(ctx, now); err == nil {
			open, err = f.DB.Intents(ctx)
		}
	}
	if err != nil {
		return err
	}
	for _, intent := range open {
		if intent.IsDestroy() {
			if !includeDestroy {
				continue
			}
			if err := f.resumeDestroy(ctx, now, intent); err != nil {
				return fmt.Errorf("finish the interrupted %s: %w", intent.Action, err)
			}
			continue
		}
		var ids []memory.ID
		for _, item := range intent.Items {
			ids = append(ids, item.ID)
		}
		if err := f.Refresh(ctx, now, memory.Action(intent.Action), ids); err != nil {
			return err
		}
		if err := f.syncFiles(ctx, ids); err != nil {
			return unfinishedIntent(intent, err)
		}
		if _, err := f.completeIntent(context.WithoutCancel(ctx), now, intent, (&Plan{}).then, func(memory.Progress) {}); err != nil && !errors.Is(err, memory.ErrConflict) {
			return fmt.Errorf("finish the interrupted %s: %w", intent.Action, err)
		}
	}
	return nil
}

// syncFiles makes the files durable that hold the memories or entries about them.
func (f *Executor) syncFiles(ctx context.Context, ids []memory.ID) error {
	declarations, err := f.DB.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	folder, err := f.Host.Folder()
	if err != nil {
		return err
	}
	for _, path := range pathsOf(declarations) {
		if err := folder.Sync(path); err != nil {
			return err
		}
	}
	return nil
}

// ResumeIntents completes intents that a crash or a full disk interrupted. A start
// completes all of them; a scan skips destroy, which is much work to repeat. An
// unavailable folder is not an error: the next decision tries again.
func (f *Executor) ResumeIntents(ctx context.Context, now time.Time, includeDestroy bool) error {
	if err := f.FinishIntents(ctx, now, includeDestroy); err != nil && !errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	return nil
}

// precheck refuses a plan, before anything changes, that cannot be written. The
// reasons are broken front matter, and a contradicting entry in a file that cannot
// be written.
func (f *Executor) precheck(ctx context.Context, intent index.Intent) error {
	w := newWriter(f, intent.At, intent.Items)
	if err := f.refuseBeingDestroyed(ctx, intent); err != nil {
		return err
	}
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		unwritable, err := f.editObstacle(path, edits[path])
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
func (f *Executor) findContradiction(ctx context.Context, path, unwritable string, e fileEdit, items []index.IntentItem) error {
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
func (f *Executor) refuseBeingDestroyed(ctx context.Context, in index.Intent) error {
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
