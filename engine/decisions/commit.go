package decisions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// MaxWriteTries bounds how often a write starts again after another program changed
// the file. More tries would compete with a program that writes all the time.
const MaxWriteTries = 3

// Refresh indexes the current content of the files that hold the memories or
// entries about them. For destroy it indexes all files, because it must find every
// copy.
func (f *Files) Refresh(ctx context.Context, now time.Time, action memory.Action, ids []memory.ID) error {
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

// Commit writes an intent into the files. Its order makes every crash harmless. One
// transaction hides what is to be hidden and records the intent. Then the files
// change, then the intent is removed. Once begun, it ignores cancellation.
func (f *Files) Commit(ctx context.Context, now time.Time, intent index.Intent, progress func(memory.Progress)) (notices []string, err error) {
	if err := f.precheck(ctx, intent); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := f.DB.BeginIntent(ctx, now, intent); err != nil {
		return nil, err
	}
	return f.completeIntent(ctx, now, intent, progress)
}

// completeIntent writes an intent into files and ends it. If some files fail, the
// decisions in the others hold, and the rest is as before. The intent stays if the
// index can neither finish nor abandon it, or if the disk does not confirm a file
// that was written. The next scan completes it.
func (f *Files) completeIntent(ctx context.Context, now time.Time, intent index.Intent, progress func(memory.Progress)) ([]string, error) {
	w := writer{Files: f, now: now, items: intent.Items, progress: progress, sidecarOnly: map[memory.ID]string{}, failed: map[memory.ID]error{}}
	if err := w.run(ctx); err != nil {
		return nil, unfinishedIntent(intent, err)
	}
	if err := w.settleCopies(ctx, &intent); err != nil {
		return nil, unfinishedIntent(intent, err)
	}
	done, undone := splitIntent(intent, w.failed)
	if len(done.Items) == 0 && len(undone.Items) > 0 {
		w.unsynced = nil // nothing of the intent is left that a file would have to confirm
	}
	sidecarOnly := map[memory.ID]bool{}
	for id := range w.sidecarOnly {
		sidecarOnly[id] = true
	}
	err := f.DB.Update(ctx, now, func(tx *index.Tx) error {
		if len(undone.Items) > 0 {
			if err := tx.AbandonIntent(undone); err != nil {
				return err
			}
			if err := tx.BeginIntent(done); err != nil { // its texts may be the same
				return err
			}
		}
		if w.unsynced == nil {
			return tx.FinishIntent(done, sidecarOnly)
		}
		return nil
	})
	if err = errors.Join(err, w.unsynced); err != nil {
		return nil, unfinishedIntent(intent, err)
	}
	return w.notices(), w.firstFailure(len(done.Items))
}

// Unfinished is the error of an intent that is neither done nor abandoned. The next index
// finishes it.
type Unfinished struct{ error }

func (u Unfinished) Unwrap() error { return u.error }

// unfinishedIntent returns the error for an intent that is neither done nor
// abandoned.
func unfinishedIntent(intent index.Intent, err error) error {
	var known *memory.Error
	if !errors.As(err, &known) {
		return Unfinished{fmt.Errorf("finish %s: %w", intent.Action, err)}
	}
	return Unfinished{&memory.Error{Kind: known.Kind, Message: intent.Action + " has begun and could not be finished", Cause: err,
		Hint: "it finishes as soon as the index can be written again; memory undo can reverse it then"}}
}

// splitIntent divides an intent into the part that was written and the rest.
func splitIntent(intent index.Intent, failed map[memory.ID]error) (done, undone index.Intent) {
	done, undone = intent, intent
	isDone := func(id memory.ID) bool { return failed[id] == nil }
	done.Items, undone.Items, done.Rows, undone.Rows = nil, nil, nil, nil
	for _, item := range intent.Items {
		if isDone(item.ID) {
			done.Items = append(done.Items, item)
		} else {
			undone.Items = append(undone.Items, item)
		}
	}
	for _, row := range intent.Rows {
		if isDone(row.ID) && (len(done.Items) > 0 || len(intent.Items) == 0) {
			done.Rows = append(done.Rows, row)
		}
	}
	for _, list := range []struct{ all, done, undone *[]memory.ID }{{&intent.ForgetTexts, &done.ForgetTexts, &undone.ForgetTexts}, {&intent.RestoreTexts, &done.RestoreTexts, &undone.RestoreTexts}} {
		*list.done, *list.undone = nil, nil
		for _, id := range *list.all {
			if isDone(id) {
				*list.done = append(*list.done, id)
			} else {
				*list.undone = append(*list.undone, id)
			}
		}
	}
	return done, undone
}

func (w *writer) firstFailure(done int) error {
	failed := len(w.items) - done
	for _, item := range w.items {
		err := w.failed[item.ID]
		var known *memory.Error
		switch {
		case err == nil:
		case done > 0 && errors.As(err, &known):
			return &memory.Error{Kind: known.Kind, Message: fmt.Sprintf("%d of %d memories were not changed", failed, len(w.items)),
				Hint: known.Hint, Cause: err}
		default:
			return err
		}
	}
	return nil
}

// FinishIntents completes interrupted intents: all, or all but those of destroy.
func (f *Files) FinishIntents(ctx context.Context, now time.Time, includeDestroy bool) error {
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
			if err := f.Host.ResumeDestroy(ctx, now, intent); err != nil {
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
		if _, err := f.completeIntent(context.WithoutCancel(ctx), now, intent, func(memory.Progress) {}); err != nil && !errors.Is(err, memory.ErrConflict) {
			return fmt.Errorf("finish the interrupted %s: %w", intent.Action, err)
		}
	}
	return nil
}

// syncFiles makes the files durable that hold the memories or entries about them.
func (f *Files) syncFiles(ctx context.Context, ids []memory.ID) error {
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
func (f *Files) ResumeIntents(ctx context.Context, now time.Time, includeDestroy bool) error {
	if err := f.FinishIntents(ctx, now, includeDestroy); err != nil && !errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	return nil
}
