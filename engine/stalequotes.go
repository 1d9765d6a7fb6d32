package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// addStaleQuotes adds to a status how many entries quote a text that was edited
// since. Without the index, such an entry may match no memory exactly.
func (s *workspaceState) addStaleQuotes(ctx context.Context, w *memory.WorkspaceStatus) error {
	err := s.db.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if isStale(q.Quote, q.Text) {
			w.StaleQuotes++
		}
	})
	if w.StaleQuotes > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("the quotes of %d decisions are older than their texts; "+
			"the next decision in the same file refreshes them", w.StaleQuotes))
	}
	if err != nil {
		return err
	}
	kept, err := s.db.KeptDoubts(ctx)
	if len(kept) > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("%s may be the text of a forgotten one and are withheld: %s; memory restore ID or memory forget ID decides",
			countText(len(kept)), shortIDs(kept)))
	}
	if err != nil {
		return err
	}
	lines, memories, err := s.db.CountDoubts(ctx)
	if lines > 0 {
		w.StaleQuotes += lines
		w.Notices = append(w.Notices, fmt.Sprintf("the quotes of %d decisions match no text exactly; %d memories that they may be about are protected; "+
			"the faults name them", lines, memories))
	}
	return err
}

func isStale(quote, text string) bool {
	return !strings.HasPrefix(comparableQuote(frontmatter.Quote(text)), comparableQuote(quote))
}

// refreshQuotes adds, to the edits of each file, changes that refresh the other
// quotes of the file that are older than their texts. What the entries declare
// stays.
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
	err := w.db.VisitQuotes(ctx, paths, func(q index.Quoted) {
		if !decided[q.About] && isStale(q.Quote, q.Text) {
			ids = append(ids, q.About)
		}
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	slices.Sort(ids)
	declarations, err := w.db.Declarations(ctx, slices.Compact(ids))
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

// comparableQuote removes what people change when they type a quote by hand.
func comparableQuote(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}
