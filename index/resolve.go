package index

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// fileLayers are what a path's defaults and a file's front matter declare.
type fileLayers struct{ declared, defaults memory.Declared }

// entry is what front matter decides about one memory.
type entry struct {
	path     string
	declared memory.Declared
}

// resolve computes what holds for every memory at hand.
func (cs *changeSet) resolve() error {
	files, err := cs.tx.readFileLayers(cs.places)
	if err != nil {
		return err
	}
	entries, err := cs.tx.readEntries(sortedKeys(cs.rows))
	if err != nil {
		return err
	}
	forgotten, err := cs.tx.findMarked(cs.rows, cs.places)
	if err != nil {
		return err
	}
	for id, r := range cs.rows {
		if err := cs.inheritDecisions(r, entries[id]); err != nil {
			return err
		}
		if err := r.resolve(files, entries[id], cs.places[id], cs.now); err != nil {
			return err
		}
		if forgotten[id] && !r.Forgotten {
			kept, err := declared(r.Sidecar)
			if err != nil {
				return err
			}
			r.Forgotten = !isRestored(append(entries[id], entry{declared: kept}))
		}
	}
	return nil
}

// inheritDecisions keeps a decision whose file went, or let go of the line, without
// holding the memory any more: that is not a person taking it back. The next
// entry about the memory ends it.
func (cs *changeSet) inheritDecisions(r *memoryRow, entries []entry) (err error) {
	if len(entries) > 0 {
		r.Inherited = "{}"
		return nil
	}
	var kept []entry // what several lines said of it stays all together
	for _, lost := range cs.removedEntries[r.ID] {
		if at, stands := cs.places[r.ID]; stands && cs.removedByEdit(lost.path, at) {
			// Pins and tiers follow the branch; what was forgotten on one is not back
			// on another.
			said := lost.declared
			if !cs.otherBranch[lost.path] || said.Forgotten == nil || !*said.Forgotten {
				continue
			}
			lost.declared = memory.Declared{Forgotten: said.Forgotten, ForgottenAt: said.ForgottenAt, Only: said.Only}
		}
		kept = append(kept, lost)
	}
	if len(kept) > 0 {
		r.Inherited, err = toJSON(mergeEntries(kept, cs.places[r.ID].Path))
	}
	return err
}

// resolve asks memory.Resolve, the only one that knows which layer wins. Of a
// missing memory, whose file and annotations cannot be asked, only what was
// decided about it alone is taken anew.
func (r *memoryRow) resolve(files map[string]fileLayers, entries []entry, at place, now sqlite.Millis) error {
	var layer [3]memory.Declared
	for i, text := range []string{at.Annotations, r.Sidecar, r.Inherited} {
		var err error
		if layer[i], err = declared(text); err != nil {
			return err
		}
	}
	file := files[at.Path]
	said := []memory.Declared{mergeEntries(entries, at.Path), layer[0], layer[1], layer[2], file.declared}
	if r.MissingSince != 0 {
		s := memory.Resolve(memory.Declared{}, said, r.observed())
		r.Pinned, r.Forgotten = s.Pinned, s.Forgotten
		return nil
	}
	r.updateDeclaredTier(said, now)
	r.setState(memory.Resolve(file.defaults, said, r.observed()))
	return nil
}

func (r *memoryRow) setState(s memory.State) {
	r.Tier, r.TierReason, r.Type, r.Category, r.Scope = s.Tier, s.TierReason, s.Type, s.Category, s.Scope
	r.Importance, r.ImportanceLabel, r.Trust = s.Importance, s.ImportanceLabel, s.Trust
	r.Source, r.SourceKind, r.SourceRef = s.Source, sourceKindOf(s.Source, s.Trust), sqlite.NullText(s.SourceRef)
	r.Tags, r.Pinned, r.Forgotten, r.Private = sqlite.JSONList(s.Tags), s.Pinned, s.Forgotten, s.Private
	r.CreatedAt, r.ExpiresAt = sqlite.ToMillis(s.Created), sqlite.ToMillis(s.Expires)
}

// updateDeclaredTier notes since when the declared tier is what it is.
func (r *memoryRow) updateDeclaredTier(said []memory.Declared, now sqlite.Millis) {
	var tier memory.Tier
	for _, d := range said {
		if tier = d.Tier; tier != "" {
			break
		}
	}
	if tier != r.DeclaredTier || r.TierSeenAt == 0 {
		r.DeclaredTier, r.TierSeenAt = tier, now
	}
}

func (r *memoryRow) observed() memory.Observed {
	return memory.Observed{Tier: r.ObservedTier, TierAt: r.ObservedTierAt.Time(), DeclaredTierSeenAt: r.TierSeenAt.Time(),
		FirstSeen: r.FirstSeen.Time(), FileTime: r.FileTime.Time(), NoteDate: r.DateNamed.Time(),
		Type: r.DetectedType, Category: r.DetectedCategory}
}

// sourceKindOf says who wrote a memory: what nobody trusts came from outside.
func sourceKindOf(s memory.Source, trust memory.TrustTier) string {
	switch {
	case trust != memory.TrustTrusted:
		return "external"
	case s == memory.SourceTool, s == memory.SourceAutoCapture:
		return "agent"
	}
	return "operator"
}

// mergeEntries makes one declaration of all entries about a memory. Its own file's
// speaks first, then the others by path; whichever of them forgets, it is
// forgotten.
func mergeEntries(entries []entry, own string) (d memory.Declared) {
	slices.SortStableFunc(entries, func(a, b entry) int { return pathOrder(a, own) - pathOrder(b, own) })
	for _, e := range entries {
		d = d.Over(e.declared)
	}
	said := false
	for _, e := range entries {
		f := e.declared.Forgotten
		if f == nil || !*f {
			continue
		}
		if !said {
			d.Forgotten, d.ForgottenAt, d.Only, said = f, e.declared.ForgottenAt, e.declared.Only, true
		}
		d.Only = d.Only && e.declared.Only
	}
	return d
}

func pathOrder(e entry, own string) int {
	if e.path == own {
		return 0
	}
	return 1
}

// isRestored says that an entry speaks of this one memory as not forgotten, which
// stands against a mark that covers every copy of its text.
func isRestored(entries []entry) bool {
	said := false
	for _, e := range entries {
		if f := e.declared.Forgotten; f != nil {
			if *f {
				return false
			}
			said = true
		}
	}
	return said
}

// readEntries reads the entries matched to some memories, by path and line.
func (tx *Tx) readEntries(ids []memory.ID) (map[memory.ID][]entry, error) {
	found := map[memory.ID][]entry{}
	err := tx.sql.Each(`SELECT about, path, declared FROM entries WHERE about IN (SELECT value FROM json_each(?))
		ORDER BY path, n`, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		var e entry
		var said string
		if err := scan(&id, &e.path, &said); err != nil {
			return err
		}
		var err error
		e.declared, err = declared(said)
		found[id] = append(found[id], e)
		return err
	})
	return found, err
}

// readFileLayers reads what the files of these places declare.
func (tx *Tx) readFileLayers(places map[memory.ID]place) (map[string]fileLayers, error) {
	paths := map[string]bool{}
	for _, p := range places {
		paths[p.Path] = true
	}
	found := map[string]fileLayers{}
	err := tx.sql.Each("SELECT path, declared, defaults FROM files WHERE path IN (SELECT value FROM json_each(?))",
		[]any{sqlite.JSONList(sortedKeys(paths))}, func(scan func(...any) error) (err error) {
			var path, said, defaults string
			if err := scan(&path, &said, &defaults); err != nil {
				return err
			}
			var l fileLayers
			if l.declared, err = declared(said); err != nil {
				return err
			}
			l.defaults, err = declared(defaults)
			found[path] = l
			return err
		})
	return found, err
}
