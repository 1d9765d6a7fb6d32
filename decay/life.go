package decay

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// Life is what is known of the tiers that one memory had.
type Life struct {
	From, Until time.Time   // when the index had the memory; a zero Until: it still has
	Tier        memory.Tier // the last one …
	TierSince   time.Time   // … and since when
	Changes     []Change    // those that the audit has, oldest first
}

// Change is a change of a memory's tier.
type Change struct {
	At       time.Time
	From, To memory.Tier
}

// TierAt returns the tier that a memory had at a time. exists reports whether the index
// had it then. An empty tier is unknown: a change was not audited. unaudited lists the
// times at which any memories were moved without a row for each.
func (l Life) TierAt(at time.Time, unaudited []time.Time) (tier memory.Tier, exists bool) {
	if at.Before(l.From) || !l.Until.IsZero() && !at.Before(l.Until) {
		return "", false
	}
	if !at.Before(l.TierSince) {
		return l.Tier, true
	}
	next := slices.IndexFunc(l.Changes, func(c Change) bool { return c.At.After(at) })
	if next < 0 || next > 0 && l.Changes[next-1].To != l.Changes[next].From {
		return "", true
	}
	end := l.Changes[next].At
	if slices.ContainsFunc(unaudited, func(moved time.Time) bool { return moved.After(at) && moved.Before(end) }) {
		return "", true
	}
	return l.Changes[next].From, true
}
