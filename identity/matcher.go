package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// none stands for "no block" and "no memory" among indices.
const none = -1

// matcher is a batch being matched. Memories and blocks are told by their index
// in known and fresh.
type matcher struct {
	known []Known    // by place
	fresh []NewBlock // by place
	given []int      // where a fresh block stood in the caller's order

	had    map[memory.Fingerprint][]int // text → memories that said it before
	living map[string]bool              // files that hold blocks now

	of []int // fresh → known, or none
	by []int // known → fresh, or none

	before []int // known → the one before it in its file among those present, or none
	after  []int
}

func newMatcher(known []Known, fresh []NewBlock) *matcher {
	m := &matcher{known: slices.Clone(known), living: map[string]bool{}, given: make([]int, len(fresh))}
	slices.SortFunc(m.known, func(a, b Known) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Ordinal, b.Ordinal),
			a.FirstSeen.Compare(b.FirstSeen), strings.Compare(string(a.ID), string(b.ID)))
	})
	for i := range m.given {
		m.given[i] = i
	}
	slices.SortStableFunc(m.given, func(a, b int) int {
		return cmp.Or(strings.Compare(fresh[a].Path, fresh[b].Path), cmp.Compare(fresh[a].Ordinal, fresh[b].Ordinal))
	})
	for _, i := range m.given {
		m.fresh = append(m.fresh, fresh[i])
		m.living[fresh[i].Path] = true
	}
	m.of, m.by = filled(len(fresh)), filled(len(known))
	m.had = formerHolders(m.known)
	m.chain()
	return m
}

// chain links the memories that stand in one file, in order. Missing ones have
// no neighbours: what stood beside them was renumbered since.
func (m *matcher) chain() {
	m.before, m.after = filled(len(m.known)), filled(len(m.known))
	last := none
	for k := range m.known {
		if !m.present(k) {
			continue
		}
		if last != none && m.known[last].Path == m.known[k].Path {
			m.before[k], m.after[last] = last, k
		}
		last = k
	}
}

// present says that the memory stood in a file of the batch before it.
func (m *matcher) present(k int) bool { return !m.known[k].Missing && !m.known[k].OutsideBatch }

// free says that the memory may still be claimed. One that stands in a file
// outside the batch is there to stay.
func (m *matcher) free(k int) bool { return m.by[k] == none && !m.known[k].OutsideBatch }

func (m *matcher) claim(k, f int) { m.by[k], m.of[f] = f, k }

// previous and next are the blocks beside f in its file, or none.
func (m *matcher) previous(f int) int {
	if f > 0 && m.fresh[f-1].Path == m.fresh[f].Path {
		return f - 1
	}
	return none
}

func (m *matcher) next(f int) int {
	if f+1 < len(m.fresh) && m.fresh[f+1].Path == m.fresh[f].Path {
		return f + 1
	}
	return none
}

func (m *matcher) sameHeading(k, f int) bool {
	return slices.Equal(m.known[k].Heading, m.fresh[f].Block.Heading)
}

// result gives ids to what is new, lets orphaned elders take over, and says
// what is missing.
func (m *matcher) result(now time.Time) Result {
	r := Result{IDs: make([]memory.ID, len(m.fresh)), Changes: make([]memory.Change, len(m.fresh))}
	r.TakeOvers = m.takeOvers(now)
	ids := m.newIDs()
	for f, given := range m.given {
		r.IDs[given], r.Changes[given] = ids[f], memory.Added
		if k := m.of[f]; k != none {
			r.IDs[given], r.Changes[given] = m.known[k].ID, m.change(k, f)
		}
	}
	gone := map[memory.ID]bool{}
	for _, t := range r.TakeOvers {
		gone[t.Elder], gone[t.Younger] = true, true
	}
	for k, known := range m.known {
		if m.present(k) && m.by[k] == none && !gone[known.ID] {
			r.Missing = append(r.Missing, known.ID)
		}
	}
	return r
}

func (m *matcher) change(k, f int) memory.Change {
	known, fresh := m.known[k], m.fresh[f]
	switch {
	case known.Missing:
		return memory.Returned
	case known.Fingerprint != fresh.Block.Fingerprint:
		return memory.Edited
	case known.Path != fresh.Path:
		return memory.Moved
	}
	return memory.Unchanged
}

// newIDs makes an id for every block that is a new memory: from its fingerprint
// and the first occurrence that no memory has, by path, then offset.
func (m *matcher) newIDs() []memory.ID {
	taken := map[memory.ID]bool{}
	for _, k := range m.known {
		taken[k.ID] = true
	}
	ids := make([]memory.ID, len(m.fresh))
	for f, fresh := range m.fresh {
		if m.of[f] == none && fresh.Wants != "" && !taken[fresh.Wants] {
			ids[f], taken[fresh.Wants] = fresh.Wants, true
		}
	}
	occurrence := map[memory.Fingerprint]int{}
	for f, fresh := range m.fresh {
		print := fresh.Block.Fingerprint
		for m.of[f] == none && ids[f] == "" {
			id := memory.NewID(print, occurrence[print])
			occurrence[print]++
			if !taken[id] {
				ids[f], taken[id] = id, true
			}
		}
	}
	return ids
}

func filled(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = none
	}
	return s
}
