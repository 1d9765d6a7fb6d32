package index

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/sqlite"
)

// resolve computes the state of every memory of the change set.
func (cs *changeSet) resolve() error {
	paths := map[string]bool{}
	for _, p := range cs.places {
		paths[p.Path] = true
	}
	files, err := cs.tx.declared.FileLayers(sortedKeys(paths))
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
	inDoubt, err := cs.tx.declared.InDoubt(sortedKeys(cs.rows))
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
		doubt := inDoubt[id]
		if r.MissingSince == 0 {
			r.protect(doubt)
		}
		if (marked[id] || doubt.Forgotten) && !r.Forgotten {
			sidecar, err := declared.Parse(r.Sidecar)
			if err != nil {
				return err
			}
			r.Forgotten = !declared.IsRestored(append(entries[id], declared.Entry{Declared: sidecar}))
		}
	}
	return cs.completeLinks()
}

// protect makes a memory private or less trusted, as entries demand that may be about
// it.
func (r *memoryRow) protect(doubt declared.Doubt) {
	r.Private = r.Private || doubt.Private
	if trust := declared.LowerTrust(r.Trust, doubt.Trust); trust != r.Trust {
		r.Trust, r.SourceKind = trust, sourceKindOf(r.Source, trust)
	}
}

// inheritDecisions keeps a decision whose file was deleted, or lost the entry
// without containing the memory any more: nobody has revoked the decision. The
// next entry about the memory ends it.
func (cs *changeSet) inheritDecisions(r *memoryRow, entries []declared.Entry) (err error) {
	if len(entries) > 0 {
		r.Inherited = "{}"
		return nil
	}
	var kept []declared.Entry
	for _, removed := range cs.removedEntries[r.ID] {
		if at, hasPlace := cs.places[r.ID]; hasPlace && cs.removedByEdit(removed.Path, at) {
			// Pins and tiers follow the git branch. A memory that one branch forgets
			// stays forgotten on every branch.
			d := removed.Declared
			if !cs.otherBranch[removed.Path] || !declared.IsForgetting(d) {
				continue
			}
			removed.Declared = memory.Declared{Forgotten: d.Forgotten, ForgottenAt: d.ForgottenAt, Only: d.Only}
		}
		kept = append(kept, removed)
	}
	if len(kept) > 0 {
		r.Inherited, err = declared.JSON(declared.Merge(kept, cs.places[r.ID].Path))
	}
	return err
}

// resolve computes the state with memory.Resolve, which alone knows the order of
// the layers. A missing memory has no file and no annotations, so that only its
// own pin and forgetting can change.
func (r *memoryRow) resolve(files map[string]declared.FileLayers, entries []declared.Entry, at place, now sqlite.Millis) error {
	var layers [3]memory.Declared
	for i, text := range []string{at.Annotations, r.Sidecar, r.Inherited} {
		var err error
		if layers[i], err = declared.Parse(text); err != nil {
			return err
		}
	}
	layers[2] = declared.WithoutRevoked(layers[2], layers[1])
	file := files[at.Path]
	declarations := []memory.Declared{declared.Merge(entries, at.Path), layers[0], layers[1], layers[2], file.Declared}
	if r.MissingSince != 0 {
		s := memory.Resolve(memory.Declared{}, declarations, r.observed())
		r.Pinned, r.Forgotten = s.Pinned, s.Forgotten
		return nil
	}
	r.updateDeclaredTier(declarations, now)
	s := memory.Resolve(file.Defaults, declarations, r.observed())
	s.Private = s.Private || declared.IsPrivate(layers[1]) || declared.IsPrivate(layers[2])
	r.setState(s)
	r.setTier(s, now)
	return nil
}

// setTier sets the tier. With another tier, uses are counted anew.
func (r *memoryRow) setTier(s memory.State, now sqlite.Millis) {
	if r.Tier != s.Tier || r.TierSince == 0 {
		r.TierSince, r.TierUses, r.TierUseDays, r.TierUsedOn = now, 0, 0, ""
	}
	r.Tier, r.TierReason, r.HeldUntil = s.Tier, s.TierReason, sqlite.ToMillis(s.TierHeldUntil)
}

func (r *memoryRow) setState(s memory.State) {
	r.Type, r.Category, r.Scope = s.Type, s.Category, s.Scope
	r.Importance, r.ImportanceLabel, r.Trust = s.Importance, s.ImportanceLabel, s.Trust
	r.Source, r.SourceKind, r.SourceRef = s.Source, sourceKindOf(s.Source, s.Trust), sqlite.NullText(s.SourceRef)
	r.Tags, r.Pinned, r.Forgotten, r.Private = sqlite.JSONList(s.Tags), s.Pinned, s.Forgotten, s.Private
	r.CreatedAt, r.ExpiresAt = sqlite.ToMillis(s.Created), sqlite.ToMillis(s.Expires)
	r.CreatedFrom = s.CreatedFrom
	r.SupersededBy = sqlite.NullText(s.SupersededBy)
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
	return memory.Observed{Tier: r.ObservedTier, TierAt: r.ObservedTierAt.Time(), TierReason: r.ObservedReason, DeclaredTierSeenAt: r.TierSeenAt.Time(),
		FirstSeen: r.FirstSeen.Time(), FileTime: r.FileTime.Time(), NoteDate: r.DateNamed.Time(), Committed: r.CommittedAt.Time(),
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

// readEntries reads the entries about the memories of the change set, without
// revoked ones.
func (cs *changeSet) readEntries() (map[memory.ID][]declared.Entry, error) {
	entries, err := cs.tx.declared.Entries(sortedKeys(cs.rows))
	if err != nil {
		return nil, err
	}
	for id := range entries {
		sidecar, err := declared.Parse(cs.rows[id].Sidecar)
		if err != nil {
			return nil, err
		}
		entries[id] = declared.EntriesWithoutRevoked(entries[id], sidecar)
	}
	return entries, nil
}
