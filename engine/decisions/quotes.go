package decisions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker/quote"
	"github.com/memory-tiered/memory/index"
)

// IsStale reports whether the quote of an entry is not how the text begins.
func IsStale(quoted, text string) bool { return !quote.Fits(quoted, text) }

// refreshQuotes adds, to the edits of each file, changes that refresh the other quotes
// of the file. It refreshes those that are older than their texts, and those in the form
// of an older version. What the entries declare stays.
func (w *writer) refreshQuotes(ctx context.Context, edits map[string]fileEdit) error {
	paths := slices.Sorted(maps.Keys(edits))
	if len(paths) == 0 {
		return nil
	}
	decided := map[memory.ID]bool{}
	for _, item := range w.items {
		decided[item.ID] = true
	}
	var ids []memory.ID
	err := w.DB.VisitQuotes(ctx, paths, func(q index.Quoted) {
		if !decided[q.About] && !quote.IsCurrent(q.Quote, q.Text) {
			ids = append(ids, q.About)
		}
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	slices.Sort(ids)
	declarations, err := w.DB.Declarations(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		for _, path := range paths {
			entries := slices.DeleteFunc(slices.Clone(decl.Entries), func(e index.FileEntry) bool { return e.Path != path })
			if len(entries) != 1 { // several lines are merged by a decision about the memory
				continue
			}
			change, _ := w.entryChange(decl, path, path, entries[0].Entry.Declared)
			e := edits[path]
			e.refreshed = append(e.refreshed, change)
			edits[path] = e
		}
	}
	return nil
}

// RefreshAllQuotes writes the present quotes of all entries whose texts were edited.
func (f *Files) RefreshAllQuotes(ctx context.Context, now time.Time) error {
	edits := map[string]fileEdit{}
	if err := f.DB.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if IsStale(q.Quote, q.Text) {
			edits[q.Path] = fileEdit{}
		}
	}); err != nil {
		return err
	}
	w := &writer{Files: f, now: now}
	paths := slices.Sorted(maps.Keys(edits))
	err := w.Host.RefreshPaths(ctx, now, paths)
	if err == nil {
		err = w.refreshQuotes(ctx, edits)
	}
	for _, path := range paths {
		if err == nil || errors.Is(err, memory.ErrConflict) { // one file that changes keeps no other from its quotes
			err = errors.Join(err, w.writeFile(path, edits[path]))
		}
	}
	return errors.Join(err, w.Host.RefreshPaths(ctx, now, paths))
}
