// Package decay is the ageing policy. It tells how old a memory counts as, and
// how much of its recency is left at that age. It tells which tier the memory
// moves to, and when a sweep is due. It reads no clock: now is a parameter.
package decay

import (
	"context"
	"math"
	"time"

	"github.com/memory-tiered/memory"
)

// coldRecency is the share of its recency that a COLD memory keeps, as the
// product defines it. An ARCHIVE memory keeps none.
const coldRecency = 0.5

// HalfLives holds, in days, how fast each memory type fades. A pinned memory
// never fades.
type HalfLives struct{ Procedural, Factual, Project, Episodic float64 }

// Defaults returns the product's half-lives.
func Defaults() HalfLives {
	return HalfLives{Procedural: 180, Factual: 90, Project: 45, Episodic: 10}
}

// Days returns the half-life of m: infinite if m is pinned, and that of a factual
// memory if m has no type.
func (h HalfLives) Days(m *memory.Memory) float64 {
	switch {
	case m.Pinned:
		return math.Inf(1)
	case m.Type == memory.TypeProcedural:
		return h.Procedural
	case m.Type == memory.TypeProject:
		return h.Project
	case m.Type == memory.TypeEpisodic:
		return h.Episodic
	}
	return h.Factual
}

// EffectiveAge returns the time since m was created, edited or last used,
// whichever came last. It is never negative.
func EffectiveAge(m *memory.Memory, now time.Time) time.Duration {
	at := m.CreatedAt
	for _, t := range []*time.Time{m.EditedAt, m.LastAccessedAt} {
		if t != nil && t.After(at) {
			at = *t
		}
	}
	return max(0, now.Sub(at))
}

// Recency returns exp(−age/half-life), from 1 for a new memory towards 0: after
// one half-life 1/e is left. A COLD memory keeps half of it, an
// ARCHIVE one nothing.
func Recency(m *memory.Memory, now time.Time, h HalfLives) float64 {
	days := EffectiveAge(m, now).Hours() / 24
	recency := math.Exp(-days / h.Days(m))
	switch m.Tier {
	case memory.TierCold:
		return recency * coldRecency
	case memory.TierArchive:
		return 0
	}
	return recency
}

// MemoryCompactor finds COLD memories that another text makes superfluous. They become
// ARCHIVE, on the order of a person. After a sweep, that of unused scenes may do so by itself.
type MemoryCompactor interface {
	// Compact returns what may take the place of COLD memories. The memories are in force,
	// of one user and scope, and neither private nor quarantined. Of several that say the same, the
	// first is the one to keep. Those of other tiers and pinned ones always stay.
	Compact(ctx context.Context, memories []memory.Memory) ([]Compaction, error)
}

// Compaction takes COLD memories out of use. Either one of the memories stays for them,
// or a new text is stored.
type Compaction struct {
	Keep     memory.ID   // the memory that stays; empty: Text is stored
	Reason   string      // what Keep does, for a person; empty: it says the same
	Text     string      // the new text, such as a summary; only without Keep
	Replaced []memory.ID // the COLD memories that become ARCHIVE
}
