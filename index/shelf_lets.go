package index

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// compile is a predicate, but for the ids that it names: what is asked is one of
// them. It lets through what [newFilter] does in SQL; a test holds one against the
// other. What is missing stands on no shelf. The answer is for one query: what
// many memories have alike is looked at once.
func (x *searchIndex) compile(p memory.Predicate) func(int32) bool {
	if p.Missing == memory.Only {
		return func(int32) bool { return false }
	}
	const unknown, no, yes, perhaps = 0, 1, 2, 3
	each, verdicts := ofEach(&p), make([]uint8, x.maxAttributeID+1)
	return func(at int32) bool {
		v := &verdicts[x.attributeIDs[at]]
		if *v == unknown {
			switch a := &x.docs[at].attributes.attributes; {
			case !a.match(&p):
				*v = no
			case each || p.Injectable && a.mayEnd:
				*v = perhaps
			default:
				*v = yes
			}
		}
		return *v == yes || *v == perhaps && x.docs[at].matches(&p)
	}
}

// match says whether a predicate lets memories through, as far as they are alike.
func (a *attributes) match(p *memory.Predicate) bool {
	switch {
	case p.Forgotten == memory.Exclude && a.forgotten,
		p.Forgotten == memory.Only && !a.forgotten,
		p.Tier != "" && a.tier != p.Tier,
		p.Tier == "" && !p.Archive && a.tier == memory.TierArchive,
		p.Type != "" && a.memoryType != p.Type,
		p.Category != "" && a.category != p.Category,
		p.Scope != "" && a.scope != "" && a.scope != memory.ScopeGlobal && a.scope != p.Scope,
		p.Pinned && !a.pinned,
		p.Injectable && !a.injectable():
		return false
	}
	return true
}

// injectable says whether memories may be put before a model.
func (a *attributes) injectable() bool {
	return !a.forgotten && !a.private && a.tier != memory.TierArchive &&
		a.trust != memory.TrustQuarantined && a.importanceLabel != memory.ImportanceIgnore
}

// ofEach says whether a predicate asks for what is not alike of memories.
func ofEach(p *memory.Predicate) bool {
	return !p.Since.IsZero() || !p.Until.IsZero() || !p.AsOf.IsZero() || p.Tag != "" || p.Path != ""
}

// matches says whether a predicate lets a memory through, as far as it is not like
// others.
func (m *doc) matches(p *memory.Predicate) bool {
	now := p.Now
	if !p.AsOf.IsZero() {
		now = p.AsOf
	}
	switch {
	case !p.Since.IsZero() && m.createdAt < toMillis(p.Since),
		!p.Until.IsZero() && m.createdAt >= toMillis(p.Until),
		!p.AsOf.IsZero() && m.createdAt > toMillis(p.AsOf),
		p.Injectable && (m.supersededBy != nil || m.expiresAt != 0 && (now.IsZero() || m.expiresAt <= toMillis(now))),
		p.Tag != "" && !m.hasTag(p.Tag),
		p.Path != "" && !MatchPath(p.Path, m.path):
		return false
	}
	return true
}

func (m *doc) hasTag(tag string) bool {
	tag = asciiLower(strings.TrimPrefix(tag, "#"))
	return slices.ContainsFunc(m.tags, func(t string) bool { return asciiLower(t) == tag })
}

// asciiLower is SQLite's lower().
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
