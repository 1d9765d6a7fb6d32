package recall

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/recall/question"
)

// dedupe keeps one memory of each group of near-duplicates, at the place of the best
// of them. Pinned memories represent the group before others. Then come those of a time
// that the question names, and newer ones before older ones.
func (r *Recaller) dedupe(found []*candidate, in question.Intent, t *Trace) (kept []*candidate) {
	kept = make([]*candidate, 0, len(found))
	for _, c := range found {
		group := slices.IndexFunc(kept, func(other *candidate) bool { return c.repeats(other) && sameAudience(other.Memory, c.Memory) })
		if group < 0 {
			kept = append(kept, c)
			continue
		}
		keep, drop := kept[group], c
		if r.representsBetter(c.Memory, keep.Memory, in) {
			keep, drop = c, keep
		}
		merged := *keep // a copy, because a second dedupe may see the candidate again
		merged.duplicates = slices.Concat(keep.duplicates, drop.duplicates, []*candidate{drop})
		kept[group] = &merged
	}
	for _, c := range kept {
		for _, duplicate := range c.duplicates {
			t.reject(duplicate, Rejection{Reason: RejectedDuplicate, DuplicateOf: c.ID})
		}
	}
	return kept
}

// repeats reports whether two memories are near-duplicates. Few are read for it.
func (c *candidate) repeats(other *candidate) bool {
	return alignment.MayRepeat(c.Sketch, other.Sketch) && other.words().NearDuplicate(c.words())
}

// words returns the words by which near-duplicates are found.
func (c *candidate) words() *alignment.Text {
	if c.text == nil {
		c.text = alignment.ReadUnder(func() []string { return chunker.Topics(c.Heading) }, c.Text)
	}
	return c.text
}

// sameAudience reports whether one memory may represent the other. A copy in another
// scope and a forgotten one may not, for example.
func sameAudience(a, b *memory.Memory) bool {
	return a.Scope == b.Scope && a.Forgotten == b.Forgotten && a.Private == b.Private && a.Trust == b.Trust
}

// representsBetter reports whether a rather than b represents a group.
func (r *Recaller) representsBetter(a, b *memory.Memory, in question.Intent) bool {
	if a.Pinned != b.Pinned {
		return a.Pinned
	}
	monthA, dayA := in.MatchMemory(a, r.set.zone())
	monthB, dayB := in.MatchMemory(b, r.set.zone())
	if monthA+dayA != monthB+dayB {
		return monthA+dayA > monthB+dayB
	}
	return lastChanged(a).After(lastChanged(b))
}

// lastChanged returns when the text of a memory was written or last edited.
func lastChanged(m *memory.Memory) time.Time {
	if m.EditedAt != nil && m.EditedAt.After(m.CreatedAt) {
		return *m.EditedAt
	}
	return m.CreatedAt
}
