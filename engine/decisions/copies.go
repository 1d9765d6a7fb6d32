package decisions

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// settleCopies makes the copies of a text fail or succeed together after a file could
// not be written. A text is restored in every copy or in none: lines that this run
// removed are written again. A text that one line forgets is forgotten in every copy.
func (w *writer) settleCopies(ctx context.Context, intent *index.Intent) error {
	var removed []index.IntentItem
	for _, id := range slices.Sorted(maps.Keys(w.failed)) {
		copies, err := w.DB.Copies(ctx, []memory.ID{id})
		if err != nil {
			return err
		}
		isCopy := func(id memory.ID) bool { return slices.Contains(copies, id) }
		switch {
		case slices.ContainsFunc(intent.RestoreTexts, isCopy):
			removed = append(removed, w.failCopies(intent.Items, copies, stillForgotten(w.failed[id]))...)
		case !slices.Contains(intent.ForgetTexts, id):
		case w.isForgottenByCopy(intent, id, copies):
			w.sidecarOnly[id] = w.failed[id].Error()
			delete(w.failed, id)
		default:
			w.failCopies(nil, copies, w.failed[id])
		}
	}
	return w.writeAgain(ctx, intent, removed)
}

// stillForgotten returns the error for a text of which a copy could not be restored.
func stillForgotten(cause error) error {
	known := &memory.Error{Kind: memory.ErrUnavailable}
	errors.As(cause, &known)
	return &memory.Error{Kind: known.Kind, Message: "the text is still forgotten in every copy", Hint: known.Hint, Cause: cause}
}

// isForgottenByCopy reports whether the line of another copy forgets the text of a
// memory, and no line of its own restores it.
func (w *writer) isForgottenByCopy(intent *index.Intent, id memory.ID, copies []memory.ID) (found bool) {
	for _, item := range intent.Items {
		switch {
		case item.ID == id && item.Before.Forgotten != nil:
			return false
		case slices.Contains(copies, item.ID) && slices.Contains(intent.ForgetTexts, item.ID) && w.failed[item.ID] == nil:
			found = true
		}
	}
	return found
}

// failCopies records that the decisions about all copies of a text failed. It returns
// the reverse of those changes that are in files already.
func (w *writer) failCopies(items []index.IntentItem, copies []memory.ID, cause error) (written []index.IntentItem) {
	for _, item := range items {
		if slices.Contains(copies, item.ID) && w.failed[item.ID] == nil {
			written = append(written, index.IntentItem{ID: item.ID, Before: item.After, After: item.Before, Sidecar: item.Sidecar})
		}
	}
	for _, id := range copies {
		w.failed[id] = cause
	}
	return written
}

// writeAgain writes lines that were removed. One that cannot be written is kept in the
// index, so that the memory stays as it was.
func (w *writer) writeAgain(ctx context.Context, intent *index.Intent, items []index.IntentItem) error {
	if len(items) == 0 {
		return nil
	}
	back := writer{Files: w.Files, now: w.now, items: items, progress: func(memory.Progress) {},
		sidecarOnly: map[memory.ID]string{}, failed: map[memory.ID]error{}}
	if err := back.run(ctx); err != nil {
		return err
	}
	intent.Items = slices.Clone(intent.Items)
	for i := range intent.Items {
		item := &intent.Items[i]
		isBack := slices.ContainsFunc(items, func(back index.IntentItem) bool { return back.ID == item.ID })
		if _, unwritten := back.sidecarOnly[item.ID]; isBack && (unwritten || back.failed[item.ID] != nil || back.unsynced != nil) {
			revoked := item.Sidecar.Revoked
			item.Sidecar = item.Before
			item.Sidecar.Revoked = revoked
		}
	}
	return nil
}
