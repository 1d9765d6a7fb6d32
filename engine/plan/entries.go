package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// planEdits derives, from the index, which entries of which files have to change. A
// file without changes is not in the result.
func (w *writer) planEdits(ctx context.Context) (map[string]fileEdit, error) {
	var ids []memory.ID
	declared := map[memory.ID]memory.Declared{}
	for _, item := range w.items {
		ids, declared[item.ID] = append(ids, item.ID), item.After
	}
	declarations, err := w.DB.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	indexed, err := w.DB.Hashes(ctx, lastFiles(declarations))
	if err != nil {
		return nil, err
	}
	edits := map[string]fileEdit{}
	for _, decl := range declarations {
		id := decl.Memory.ID
		if _, sidecarOnly := w.sidecarOnly[id]; sidecarOnly {
			continue
		}
		entryFile := w.entryFile(decl, indexed)
		if entryFile == "" {
			w.sidecarOnly[id] = decl.Memory.Path + " is gone"
			continue
		}
		for _, path := range entryPaths(decl, entryFile) {
			if change, needed := w.entryChange(decl, path, entryFile, declared[id]); needed {
				e := edits[path]
				e.changes = append(e.changes, change)
				if path == entryFile {
					e.entriesOf = append(e.entriesOf, id)
				}
				edits[path] = e
			}
		}
	}
	return edits, w.refreshQuotes(ctx, edits)
}

// writeOrder returns the files that get entries before those that only lose some.
// So a crash between two writes never leaves a memory without its entry.
func writeOrder(edits map[string]fileEdit) []string {
	paths := slices.Sorted(maps.Keys(edits))
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Compare(min(1, len(edits[b].entriesOf)), min(1, len(edits[a].entriesOf)))
	})
	return paths
}

// entryFile returns the file for a memory's entry: the decisions file where it is
// configured, else the memory's own file. A missing memory keeps the file that has
// its entry now, or else gets its entry in its last file; empty: that is gone.
func (f *Executor) entryFile(decl index.Declarations, indexed map[string]memory.Hash) string {
	if f.InDecisionsFile {
		return memory.DecisionsFile
	}
	if !decl.Memory.Missing {
		return decl.Memory.Path
	}
	if len(decl.Entries) > 0 {
		return decl.Entries[0].Path
	}
	if _, exists := indexed[decl.Memory.Path]; exists {
		return decl.Memory.Path
	}
	return ""
}

// lastFiles lists the last files of the missing memories among some.
func lastFiles(declarations []index.Declarations) (paths []string) {
	for _, decl := range declarations {
		if decl.Memory.Missing {
			paths = append(paths, decl.Memory.Path)
		}
	}
	return paths
}

// entryPaths lists the files with entries about a memory, its entry file first.
func entryPaths(decl index.Declarations, entryFile string) []string {
	paths := []string{entryFile}
	for _, entry := range decl.Entries {
		if !slices.Contains(paths, entry.Path) {
			paths = append(paths, entry.Path)
		}
	}
	return paths
}

func (w *writer) entryChange(decl index.Declarations, path, entryFile string, declared memory.Declared) (c frontmatter.Change, needed bool) {
	c = frontmatter.Change{ID: decl.Memory.ID, Quote: chunker.QuoteOf(decl.WrittenText), Declared: declared}
	if path == memory.DecisionsFile {
		c.Path = decl.Memory.Path
	}
	if path != entryFile {
		c.Declared, c.Remove = memory.Declared{}, true
	}
	var existing []memory.Entry
	for _, entry := range decl.Entries {
		if entry.Path == path {
			existing = append(existing, entry.Entry)
			if entry.Entry.IDPrefix != decl.Memory.ID.InFile() {
				c.Previous = &entry.Entry
			}
		}
	}
	switch {
	case len(existing) == 0:
		return c, !IsEmptyEntry(c.Declared, w.Zone)
	case len(existing) == 1 && !c.Remove:
		return c, !sameEntry(existing[0].Declared, declared, w.Zone) || !chunker.QuoteFits(existing[0].Quote, decl.WrittenText)
	}
	return c, true
}

// IsEmptyEntry reports whether a declaration needs no entry. Fields that only the index
// keeps make no difference.
func IsEmptyEntry(d memory.Declared, zone *time.Location) bool {
	return sameEntry(d, memory.Declared{}, zone)
}

// sameEntry compares entries by the text that a file would hold.
func sameEntry(a, b memory.Declared, zone *time.Location) bool {
	return entryText(a, zone) == entryText(b, zone)
}

func entryText(d memory.Declared, zone *time.Location) string {
	change := frontmatter.Change{ID: memory.NewID(memory.Fingerprint{}, 0), Quote: "x", Declared: d}
	text, err := frontmatter.Set(nil, zone, []frontmatter.Change{change})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// IsStale reports whether the quote of an entry is not how the text begins.
func IsStale(quoted, text string) bool { return !chunker.QuoteFits(quoted, text) }

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
		if !decided[q.About] && !chunker.QuoteFits(q.Quote, q.Text) {
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
