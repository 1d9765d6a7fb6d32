package ingest

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
)

// comingOrGoing says that memories appeared or vanished, so that what looks new
// may have come from a file that this look does not see, and what is gone may
// have gone to one.
func (w *work) comingOrGoing() bool {
	return len(w.found.Missing) > 0 || slices.Contains(w.found.Changes, memory.Added) ||
		slices.Contains(w.found.Changes, memory.Returned)
}

// widen looks at everything else that changed, and matches again. A file that
// nobody said was gone may be about to return (editors replace files so); it is
// believed to be gone only if one of its memories has turned up elsewhere. So a
// rename with an edit is one look, though the old name's end is told later.
func (w *work) widen(ctx context.Context) error {
	all, err := w.look(ctx, w.listed, nil, false)
	if err != nil {
		return err
	}
	handled := func(path string) bool { return w.seen[path] }
	more := changes{read: slices.DeleteFunc(all.read, handled)}
	vanished := slices.DeleteFunc(all.removed, handled)
	if len(more.read)+len(vanished) == 0 {
		return nil
	}
	if err := w.read(ctx, more); err != nil {
		return err
	}
	w.batch.Removed = append(w.batch.Removed, vanished...)
	if err := w.match(ctx); err != nil {
		return err
	}
	w.keep(vanished)
	return nil
}

// keep takes back the end of files of which no memory has turned up.
func (w *work) keep(vanished []string) {
	found := map[memory.ID]bool{}
	for _, id := range w.found.IDs {
		found[id] = true
	}
	for _, t := range w.found.TakeOvers {
		found[t.Elder] = true
	}
	moved, at := map[string]bool{}, map[memory.ID]string{}
	for _, k := range w.known {
		at[k.ID] = k.Path
		if found[k.ID] && !k.Missing && !k.OutsideBatch {
			moved[k.Path] = true
		}
	}
	kept := func(path string) bool { return slices.Contains(vanished, path) && !moved[path] }
	w.batch.Removed = slices.DeleteFunc(w.batch.Removed, kept)
	w.found.Missing = slices.DeleteFunc(w.found.Missing, func(id memory.ID) bool { return kept(at[id]) })
	w.known = slices.Clone(w.known)
	for i, k := range w.known {
		if kept(k.Path) && !k.Missing {
			w.known[i].OutsideBatch = true
		}
	}
}
