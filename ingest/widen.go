package ingest

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
)

// widen also checks the files outside the run that may have the other half of a move, and
// matches again. If a file came or went at the given paths, it may have been renamed, so
// any other file is checked. Else it is the files that had a new text.
//
// A file without a hint that is missing may be about to return, because editors replace
// files that way. It counts as removed only if one of its memories turned up elsewhere. So
// a rename with an edit is handled in one run, even if the hint for the old name comes later.
func (r *run) widen(ctx context.Context, paths []string) error {
	cameOrWent := func(c memory.Change) bool { return c == memory.Added || c == memory.Returned }
	switch origins := r.origins(); {
	case len(r.result.Missing) == 0 && !slices.ContainsFunc(r.result.Changes, cameOrWent):
		return nil
	case r.filesCameOrWent():
		paths = nil
	case len(origins) == 0:
		return nil
	default:
		paths = slices.Concat(paths, origins)
	}
	all, err := r.findChanges(ctx, paths, false)
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

// filesCameOrWent reports whether a file appeared or disappeared.
func (r *run) filesCameOrWent() bool {
	return len(r.batch.Removed) > 0 || slices.ContainsFunc(r.batch.Files, func(f memory.FileState) bool {
		_, known := r.indexedFile(f.Path)
		return !known
	})
}

// origins returns the files outside the run that have the texts of new memories.
func (r *run) origins() (paths []string) {
	added := map[memory.Fingerprint]bool{}
	for i, b := range r.blocks {
		added[b.Block.Fingerprint] = added[b.Block.Fingerprint] || r.result.Changes[i] == memory.Added
	}
	for _, k := range r.known {
		if k.OutsideBatch && !k.Missing && added[k.Fingerprint] {
			paths = append(paths, k.Path)
		}
	}
	return paths
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
