package index

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// resolve computes the state of every memory of the change set.
func (cs *changeSet) resolve() error {
	files, err := cs.tx.readFileLayers(cs.places)
	if err != nil {
		return err
	}
	entries, err := cs.readEntries()
	if err != nil {
		return err
	}
	marked, err := cs.tx.findMarked(cs.rows, cs.places)
	if err != nil {
		return err
	}
	inDoubt, err := cs.tx.findInDoubt(sortedKeys(cs.rows))
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
		if (marked[id] || inDoubt[id]) && !r.Forgotten {
			sidecar, err := parseDeclared(r.Sidecar)
			if err != nil {
				return err
			}
			r.Forgotten = !isRestored(append(entries[id], entry{declared: sidecar}))
		}
	}
	return nil
}

// inheritDecisions keeps a decision whose file was deleted, or lost the entry
// without containing the memory any more: nobody has revoked the decision. The
// next entry about the memory ends it.
func (cs *changeSet) inheritDecisions(r *memoryRow, entries []entry) (err error) {
	if len(entries) > 0 {
		r.Inherited = "{}"
		return nil
	}
	var kept []entry
	for _, removed := range cs.removedEntries[r.ID] {
		if at, hasPlace := cs.places[r.ID]; hasPlace && cs.removedByEdit(removed.path, at) {
			// Pins and tiers follow the git branch. A memory that one branch forgets
			// stays forgotten on every branch.
			d := removed.declared
			if !cs.otherBranch[removed.path] || !isForgetting(d) {
				continue
			}
			removed.declared = memory.Declared{Forgotten: d.Forgotten, ForgottenAt: d.ForgottenAt, Only: d.Only}
		}
		kept = append(kept, removed)
	}
	if len(kept) > 0 {
		r.Inherited, err = toJSON(mergeEntries(kept, cs.places[r.ID].Path))
	}
	return err
}

// resolve computes the state with memory.Resolve, which alone knows the order of
// the layers. A missing memory has no file and no annotations, so that only its
// own pin and forgetting can change.
func (r *memoryRow) resolve(files map[string]fileLayers, entries []entry, at place, now sqlite.Millis) error {
	var layers [3]memory.Declared
	for i, text := range []string{at.Annotations, r.Sidecar, r.Inherited} {
		var err error
		if layers[i], err = parseDeclared(text); err != nil {
			return err
		}
	}
	layers[2] = withoutRevoked(layers[2], layers[1])
	file := files[at.Path]
	declarations := []memory.Declared{mergeEntries(entries, at.Path), layers[0], layers[1], layers[2], file.declared}
	if r.MissingSince != 0 {
		s := memory.Resolve(memory.Declared{}, declarations, r.observed())
		r.Pinned, r.Forgotten = s.Pinned, s.Forgotten
		return nil
	}
	r.updateDeclaredTier(declarations, now)
	s := memory.Resolve(file.defaults, declarations, r.observed())
	s.Private = s.Private || isPrivate(layers[1]) || isPrivate(layers[2])
	r.setState(s)
	return nil
}

func (r *memoryRow) setState(s memory.State) {
	r.Tier, r.TierReason, r.Type, r.Category, r.Scope = s.Tier, s.TierReason, s.Type, s.Category, s.Scope
	r.Importance, r.ImportanceLabel, r.Trust = s.Importance, s.ImportanceLabel, s.Trust
	r.Source, r.SourceKind, r.SourceRef = s.Source, sourceKindOf(s.Source, s.Trust), sqlite.NullText(s.SourceRef)
	r.Tags, r.Pinned, r.Forgotten, r.Private = sqlite.JSONList(s.Tags), s.Pinned, s.Forgotten, s.Private
	r.CreatedAt, r.ExpiresAt = sqlite.ToMillis(s.Created), sqlite.ToMillis(s.Expires)
}

// updateDeclaredTier notes the declared tier, and when it was first seen.
func (r *memoryRow) updateDeclaredTier(declarations []memory.Declared, now sqlite.Millis) {
	var tier memory.Tier
	for _, d := range declarations {
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

// sourceKindOf returns who wrote a memory. An untrusted memory comes from outside.
func sourceKindOf(s memory.Source, trust memory.TrustTier) string {
	switch {
	case trust != memory.TrustTrusted:
		return "external"
	case s == memory.SourceTool, s == memory.SourceAutoCapture:
		return "agent"
	}
	return "operator"
}

// mergeEntries merges all entries about a memory into one declaration. Entries of
// its own file come first, then the others by path. The memory is forgotten if
// any entry forgets it, and private if an entry of another file makes it so.
func mergeEntries(entries []entry, ownPath string) (d memory.Declared) {
	slices.SortStableFunc(entries, func(a, b entry) int { return pathOrder(a, ownPath) - pathOrder(b, ownPath) })
	for _, e := range entries {
		d = d.Over(e.declared)
	}
	found := false
	for _, e := range entries {
		if !isForgetting(e.declared) {
			continue
		}
		if !found {
			d.Forgotten, d.ForgottenAt, d.Only, found = e.declared.Forgotten, e.declared.ForgottenAt, e.declared.Only, true
		}
		d.Only = d.Only && e.declared.Only
	}
	d.Private = mergePrivate(entries, ownPath)
	return d
}

// mergePrivate merges what entries declare about private. private: false lifts
// only what its own file declares, so it counts in an entry of that file only.
func mergePrivate(entries []entry, ownPath string) (private *bool) {
	for _, e := range entries {
		d := e.declared
		if d.Private == nil || !*d.Private && !e.isIn(ownPath) {
			continue
		}
		if private == nil || *d.Private && !e.isIn(ownPath) {
			private = d.Private
		}
	}
	return private
}

// isIn reports whether an entry counts as one of a file: it is there, or in the
// decisions file and names it.
func (e entry) isIn(path string) bool {
	return e.path == path || e.path == memory.DecisionsFile && (e.aboutPath == path || e.aboutPath == "")
}

func isPrivate(d memory.Declared) bool { return d.Private != nil && *d.Private }

func pathOrder(e entry, ownPath string) int {
	if e.path == ownPath {
		return 0
	}
	return 1
}

// isRestored reports whether an entry declares this one memory not forgotten,
// which overrides a mark on every copy of its text.
func isRestored(entries []entry) bool {
	restored := false
	for _, e := range entries {
		if isForgetting(e.declared) {
			return false
		}
		restored = restored || e.declared.Forgotten != nil
	}
	return restored
}

// fileLayers are the declarations that hold for all memories of a file.
type fileLayers struct {
	declared memory.Declared // front matter
	defaults memory.Declared // the configuration's, for the path
}

// readFileLayers reads the declarations of the files of these places.
func (tx *Tx) readFileLayers(places map[memory.ID]place) (map[string]fileLayers, error) {
	paths := map[string]bool{}
	for _, p := range places {
		paths[p.Path] = true
	}
	found := map[string]fileLayers{}
	err := tx.sql.Each("SELECT path, declared, defaults FROM files WHERE path IN (SELECT value FROM json_each(?))",
		[]any{sqlite.JSONList(sortedKeys(paths))}, func(scan func(...any) error) (err error) {
			var path, declared, defaults string
			if err := scan(&path, &declared, &defaults); err != nil {
				return err
			}
			var l fileLayers
			if l.declared, err = parseDeclared(declared); err != nil {
				return err
			}
			l.defaults, err = parseDeclared(defaults)
			found[path] = l
			return err
		})
	return found, err
}
