// Package decay is the ageing policy. It tells how old a memory counts as, and
// how much of its recency is left at that age. It tells which tier the memory
// moves to, and when a sweep is due. It reads no clock: now is a parameter.
package decay

import (
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
