package ingest

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
)

// memoriesCameOrWent reports whether memories appeared or disappeared. A file
// outside this run may then hold their old or new place.
func (r *run) memoriesCameOrWent() bool {
	return len(r.result.Missing) > 0 || slices.Contains(r.result.Changes, memory.Added) ||
		slices.Contains(r.result.Changes, memory.Returned)
}

// widenToAllFiles reads all other changed files and matches again. A file
// without a hint that is missing may be about to return, because editors
// replace files that way. It counts as removed only if one of its memories
// turned up elsewhere. So a rename with an edit is handled in one run, even if
// the hint for the old name comes later.
func (r *run) widenToAllFiles(ctx context.Context) error {
	all, err := r.findChanges(ctx, r.indexed, nil, false)
	if err != nil {
		return err
	}
	// An interrupted run continues with its files itself. They may be large, and a
	// caller waits.
	handled := func(path string) bool {
		f, _ := r.indexedFile(path)
		return r.visited[path] || f.Stamp == memory.PartialStamp
	}
	more := changes{toRead: slices.DeleteFunc(all.toRead, handled)}
	vanished := slices.DeleteFunc(all.removed, handled)
	if len(more.toRead)+len(vanished) == 0 {
		return nil
	}
	if err := r.readChanges(ctx, more); err != nil {
		return err
	}
	r.batch.Removed = append(r.batch.Removed, vanished...)
	if err := r.matchBlocks(ctx); err != nil {
		return err
	}
	r.keepUnmatchedFiles(vanished)
	return nil
}

// keepUnmatchedFiles keeps the missing files of which no memory turned up
// elsewhere.
func (r *run) keepUnmatchedFiles(vanished []string) {
	found := map[memory.ID]bool{}
	for _, id := range r.result.IDs {
		found[id] = true
	}
	for _, t := range r.result.TakeOvers {
		found[t.Elder] = true
	}
	moved, at := map[string]bool{}, map[memory.ID]string{}
	for _, k := range r.known {
		at[k.ID] = k.Path
		if found[k.ID] && !k.Missing && !k.OutsideBatch {
			moved[k.Path] = true
		}
	}
	kept := func(path string) bool { return slices.Contains(vanished, path) && !moved[path] }
	r.batch.Removed = slices.DeleteFunc(r.batch.Removed, kept)
	r.result.Missing = slices.DeleteFunc(r.result.Missing, func(id memory.ID) bool { return kept(at[id]) })
	r.known = slices.Clone(r.known)
	for i, k := range r.known {
		if kept(k.Path) && !k.Missing {
			r.known[i].OutsideBatch = true
		}
	}
}
