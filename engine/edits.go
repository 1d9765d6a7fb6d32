package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// planEdits works out, from what the index knows, which lines of which files have
// to change. Where nothing has to, nothing is written.
func (w *writer) planEdits(ctx context.Context) (map[string]fileEdit, error) {
	var ids []memory.ID
	said := map[memory.ID]memory.Declared{}
	for _, item := range w.items {
		ids, said[item.ID] = append(ids, item.ID), item.After
	}
	stances, err := w.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	edits := map[string]fileEdit{}
	for _, st := range stances {
		id := st.Memory.ID
		if _, aside := w.sidecarOnly[id]; aside {
			continue
		}
		home := w.entryFile(st)
		if home == "" {
			w.sidecarOnly[id] = ""
			continue
		}
		for _, path := range entryPaths(st, home) {
			if change, needed := w.entryChange(st, path, home, said[id]); needed {
				e := edits[path]
				e.changes = append(e.changes, change)
				if path == home {
					e.entriesOf = append(e.entriesOf, id)
				}
				edits[path] = e
			}
		}
	}
	return edits, nil
}

// writeOrder puts the files that say something from now on before those that only
// say it no more: what is said of a memory stands somewhere at any moment.
func writeOrder(edits map[string]fileEdit) []string {
	paths := slices.Sorted(maps.Keys(edits))
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Compare(min(1, len(edits[b].entriesOf)), min(1, len(edits[a].entriesOf)))
	})
	return paths
}

// entryFile is the file that speaks of a memory: its own, or the one for decisions
// where the workspace has that; of one that is missing, the one that does already.
func (s *workspaceState) entryFile(st index.Declarations) string {
	if s.DecisionsFile {
		return memory.DecisionsFile
	}
	if !st.Memory.Missing {
		return st.Memory.Path
	}
	if len(st.Entries) > 0 {
		return st.Entries[0].Path
	}
	return ""
}

// entryPaths are the files with lines about a memory, its home first.
func entryPaths(st index.Declarations, home string) []string {
	paths := []string{home}
	for _, l := range st.Entries {
		if !slices.Contains(paths, l.Path) {
			paths = append(paths, l.Path)
		}
	}
	return paths
}

func (w *writer) entryChange(st index.Declarations, path, home string, said memory.Declared) (c frontmatter.Change, needed bool) {
	c = frontmatter.Change{ID: st.Memory.ID, Quote: frontmatter.Quote(st.Memory.Text), Declared: said}
	if path == memory.DecisionsFile {
		c.Path = st.Memory.Path
	}
	if path != home {
		c.Declared, c.Remove = memory.Declared{}, true
	}
	var here []memory.Entry
	for _, l := range st.Entries {
		if l.Path == path {
			here = append(here, l.Entry)
			if !strings.HasPrefix(st.Memory.ID.InFile(), l.Entry.IDPrefix) || len(l.Entry.IDPrefix) < len(st.Memory.ID.InFile()) {
				c.Previous = &l.Entry
			}
		}
	}
	switch {
	case len(here) == 0:
		return c, !isEmptyEntry(c.Declared, w.Zone)
	case len(here) == 1 && !c.Remove:
		return c, !sameEntry(here[0].Declared, said, w.Zone)
	}
	return c, true
}

// isEmptyEntry and sameLine ask what a line would say: the same words are the same
// line, whatever the index kept beside them.
func isEmptyEntry(d memory.Declared, zone *time.Location) bool {
	return sameEntry(d, memory.Declared{}, zone)
}

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
