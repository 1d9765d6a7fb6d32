// Package relations finds how a new text relates to the memories that exist. Some say the same;
// of others it gives a new value.
package relations

import (
	"cmp"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/recall/validity"
)

// Memory is a known memory that a new text may repeat or replace.
type Memory struct {
	memory.Memory
	capture.Relation
	Exact      bool   // it says the same in the same words
	Holds      bool   // it is superseded by a memory that no request of the author gets
	Unrecalled string // why no recall gives it any more; see [Unrecalled]
	Similarity *float64
}

// Found is the memories that are most like a text.
type Found struct {
	List    []Memory // those in the same words first
	NoEmbed string   // why vectors were not compared; empty: they were
}

// SameAs returns the first memory that says the same, but for one. A memory that no recall
// gives any more is none: what is said again holds again.
func (f Found) SameAs(except memory.ID) (Memory, bool) {
	return f.first(func(m Memory) bool { return m.Same && m.ID != except && m.Unrecalled == "" })
}

// ForgottenSame returns the first forgotten memory that says the same.
func (f Found) ForgottenSame() (Memory, bool) {
	return f.first(func(m Memory) bool { return m.Same && m.Forgotten })
}

// UnrecalledSame returns the first memory that says the same, and that no recall gives any more.
func (f Found) UnrecalledSame() (Memory, bool) {
	return f.first(func(m Memory) bool { return m.Same && m.Unrecalled != "" })
}

func (f Found) first(accept func(Memory) bool) (Memory, bool) {
	i := slices.IndexFunc(f.List, accept)
	if i < 0 {
		return Memory{}, false
	}
	return f.List[i], true
}

// Unrecalled returns why no recall gives a memory any more, unless it is asked to: it is
// expired, archived, or marked as outdated. Otherwise it returns "".
func Unrecalled(m memory.Memory, now time.Time) string {
	switch {
	case m.Forgotten || m.Missing:
		return ""
	case m.ExpiresAt != nil && !m.ExpiresAt.After(now):
		return memory.ReasonExpired
	case m.Tier == memory.TierArchive:
		return memory.ReasonArchived
	case validity.Marks{}.Of(&m) == validity.Outdated:
		return memory.ReasonOutdated
	}
	return ""
}

// Replaced returns the memories that a new text of an author replaces. They give another value
// to the same subject, nobody wrote them by hand or pinned them, and they have the same
// user.
func (f Found) Replaced(trust memory.TrustTier, author audience.Author) (old []memory.Memory) {
	for _, m := range f.List {
		if m.Replaces && !m.Same && !m.Forgotten && !m.Pinned && (m.SupersededBy == nil || m.Holds) && author.Owns(m.Memory) &&
			MayReplace(trust, m.Memory) {
			old = append(old, m.Memory)
		}
	}
	return old
}

// MayReplace reports whether a text of this trust may change a memory without a
// person's decision.
func MayReplace(trust memory.TrustTier, m memory.Memory) bool {
	rank := func(t memory.TrustTier) int { return slices.Index(memory.TrustTiers, t) }
	return (m.Source == memory.SourceAutoCapture || m.Source == memory.SourceTool) && m.Trust != memory.TrustQuarantined && rank(trust) <= rank(m.Trust)
}

// ComparePreference puts the memory first that should stay of two that say the
// same. That is the more trusted one, then a person's own, then the longer one.
func ComparePreference(a, b memory.Memory) int {
	byHand := func(m memory.Memory) int {
		if m.Source == memory.SourceFile {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(slices.Index(memory.TrustTiers, a.Trust), slices.Index(memory.TrustTiers, b.Trust)),
		cmp.Compare(byHand(a), byHand(b)), cmp.Compare(len(b.Text), len(a.Text)))
}
