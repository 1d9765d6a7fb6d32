package rows

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Resolve computes the state with memory.Resolve, which alone knows the order of
// the layers, and returns what the files and the index declare. A missing memory has no file and no annotations, so that only its
// own pin and forgetting can change.
func (r *Memory) Resolve(files map[string]fileLayers, entries []Entry, at Place, now sqldb.Millis) (stated memory.Declared, err error) {
	var layers [3]memory.Declared
	for i, text := range []string{at.Annotations, r.Sidecar, r.Inherited} {
		if layers[i], err = ParseDeclared(text); err != nil {
			return stated, err
		}
	}
	layers[2] = WithoutRevoked(layers[2], layers[1])
	file := files[at.Path]
	declarations := []memory.Declared{Merge(entries, at.Path), layers[0], layers[1], layers[2], file.Declared}
	for _, d := range declarations {
		stated = stated.Over(d)
	}
	if r.MissingSince != 0 {
		s := memory.Resolve(memory.Declared{}, declarations, r.observed())
		r.Pinned, r.Forgotten = s.Pinned, s.Forgotten
		return stated, nil
	}
	r.updateDeclaredTier(declarations, now)
	s := memory.Resolve(file.Defaults, declarations, r.observed())
	s.Private = s.Private || layers[1].IsPrivate() || layers[2].IsPrivate()
	r.setState(s)
	r.setTier(s, now)
	return stated, nil
}

// Protect makes a memory private, a user's or less trusted, as entries demand that may
// be about it.
func (r *Memory) Protect(doubt doubt) {
	if r.User == "" {
		r.User = doubt.User
	}
	r.Private = r.Private || doubt.Private
	if trust := memory.LowerTrust(r.Trust, doubt.Trust); trust != r.Trust {
		r.Trust, r.SourceKind = trust, sourceKindOf(r.Source, trust)
	}
}

// setTier sets the tier. With another tier, uses are counted anew.
func (r *Memory) setTier(s memory.State, now sqldb.Millis) {
	if r.Tier != s.Tier || r.TierSince == 0 {
		r.TierSince, r.TierUses, r.TierUseDays, r.TierUsedOn = now, 0, 0, ""
	}
	r.Tier, r.TierReason, r.HeldUntil = s.Tier, s.TierReason, sqldb.ToMillis(s.TierHeldUntil)
}

func (r *Memory) setState(s memory.State) {
	r.Type, r.Category, r.Scope, r.User = s.Type, s.Category, s.Scope, s.User
	r.Importance, r.ImportanceLabel, r.Trust = s.Importance, s.ImportanceLabel, s.Trust
	r.Source, r.SourceKind, r.SourceRef = s.Source, sourceKindOf(s.Source, s.Trust), sqldb.NullText(s.SourceRef)
	r.Tags, r.Pinned, r.Forgotten, r.Private = sqldb.JSONList(s.Tags), s.Pinned, s.Forgotten, s.Private
	r.CreatedAt, r.ExpiresAt = sqldb.ToMillis(s.Created), sqldb.ToMillis(s.Expires)
	r.CreatedFrom = s.CreatedFrom
	r.SupersededBy = sqldb.NullText(s.SupersededBy)
}

// updateDeclaredTier notes the declared tier, and when it was first seen.
func (r *Memory) updateDeclaredTier(declarations []memory.Declared, now sqldb.Millis) {
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

func (r *Memory) observed() memory.Observed {
	return memory.Observed{Tier: r.ObservedTier, TierAt: r.ObservedTierAt.Time(), TierReason: r.ObservedReason, DeclaredTierSeenAt: r.TierSeenAt.Time(),
		FirstSeen: r.FirstSeen.Time(), FileTime: r.FileTime.Time(), NoteDate: r.DateNamed.Time(), Committed: r.CommittedAt.Time(),
		Type: r.DetectedType, Category: r.DetectedCategory, Grade: r.Grade()}
}

// notGraded is the importance of a memory that was not graded. The schema has it too.
const notGraded = -1

// Grade returns the grade of a memory.
func (r *Memory) Grade() memory.Grade {
	g := memory.Grade{Label: r.GradedLabel}
	if r.GradedImportance >= 0 {
		g.Importance = &r.GradedImportance
	}
	return g
}

// SetGrade sets those parts of a grade that are not empty.
func (r *Memory) SetGrade(g memory.Grade) {
	if g.Importance != nil {
		r.GradedImportance = *g.Importance
	}
	if g.Label != "" {
		r.GradedLabel = g.Label
	}
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
