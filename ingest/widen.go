package ingest

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
)

// memoriesCameOrWent says that memories appeared or vanished, so that what looks new
// may have come from a file that this look does not see, and what is gone may
// have gone to one.
func (r *run) memoriesCameOrWent() bool {
	return len(r.result.Missing) > 0 || slices.Contains(r.result.Changes, memory.Added) ||
		slices.Contains(r.result.Changes, memory.Returned)
}

// widenToAllFiles looks at everything else that changed, and matches again. A file that
// nobody said was gone may be about to return (editors replace files so); it is
// believed to be gone only if one of its memories has turned up elsewhere. So a
// rename with an edit is one look, though the old name's end is told later.
func (r *run) widenToAllFiles(ctx context.Context) error {
	all, err := r.findChanges(ctx, r.indexed, nil, false)
	if err != nil {
		return err
	}
	handled := func(path string) bool { return r.visited[path] }
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

// keepUnmatchedFiles takes back the end of files of which no memory has turned up.
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
