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
	known      []KnownMemory // by place
	blocks     []NewBlock    // by place
	inputIndex []int         // where a fresh block stood in the caller's order

	pastHolders map[memory.Fingerprint][]int // text → memories that said it before
	hasBlocks   map[string]bool              // files that hold blocks now

	memoryOf []int // fresh → known, or none
	blockOf  []int // known → fresh, or none

	prevKnown []int // known → the one before it in its file among those present, or none
	nextKnown []int
}

func newMatcher(known []KnownMemory, blocks []NewBlock) *matcher {
	m := &matcher{known: slices.Clone(known), hasBlocks: map[string]bool{}, inputIndex: make([]int, len(blocks))}
	slices.SortFunc(m.known, func(a, b KnownMemory) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Ordinal, b.Ordinal),
			a.FirstSeen.Compare(b.FirstSeen), strings.Compare(string(a.ID), string(b.ID)))
	})
	for i := range m.inputIndex {
		m.inputIndex[i] = i
	}
	slices.SortStableFunc(m.inputIndex, func(a, b int) int {
		return cmp.Or(strings.Compare(blocks[a].Path, blocks[b].Path), cmp.Compare(blocks[a].Ordinal, blocks[b].Ordinal))
	})
	for _, i := range m.inputIndex {
		m.blocks = append(m.blocks, blocks[i])
		m.hasBlocks[blocks[i].Path] = true
	}
	m.memoryOf, m.blockOf = allNone(len(blocks)), allNone(len(known))
	m.pastHolders = findPastHolders(m.known)
	m.linkNeighbours()
	return m
}

// linkNeighbours links the memories that stand in one file, in order. Missing ones have
// no neighbours: what stood beside them was renumbered since.
func (m *matcher) linkNeighbours() {
	m.prevKnown, m.nextKnown = allNone(len(m.known)), allNone(len(m.known))
	last := none
	for k := range m.known {
		if !m.present(k) {
			continue
		}
		if last != none && m.known[last].Path == m.known[k].Path {
			m.prevKnown[k], m.nextKnown[last] = last, k
		}
		last = k
	}
}

// present says that the memory stood in a file of the batch before it.
func (m *matcher) present(k int) bool { return !m.known[k].Missing && !m.known[k].OutsideBatch }

// claimable says that the memory may still be claimed. One that stands in a file
// outside the batch is there to stay.
func (m *matcher) claimable(k int) bool { return m.blockOf[k] == none && !m.known[k].OutsideBatch }

func (m *matcher) claim(k, b int) { m.blockOf[k], m.memoryOf[b] = b, k }

// prevBlock and next are the blocks beside f in its file, or none.
func (m *matcher) prevBlock(b int) int {
	if b > 0 && m.blocks[b-1].Path == m.blocks[b].Path {
		return b - 1
	}
	return none
}

func (m *matcher) nextBlock(b int) int {
	if b+1 < len(m.blocks) && m.blocks[b+1].Path == m.blocks[b].Path {
		return b + 1
	}
	return none
}

func (m *matcher) sameHeading(k, b int) bool {
	return slices.Equal(m.known[k].Heading, m.blocks[b].Block.Heading)
}

// result gives ids to what is new, lets orphaned elders take over, and says
// what is missing.
func (m *matcher) result(now time.Time) Result {
	r := Result{IDs: make([]memory.ID, len(m.blocks)), Changes: make([]memory.Change, len(m.blocks))}
	r.TakeOvers = m.takeOvers(now)
	ids := m.newIDs()
	for b, given := range m.inputIndex {
		r.IDs[given], r.Changes[given] = ids[b], memory.Added
		if k := m.memoryOf[b]; k != none {
			r.IDs[given], r.Changes[given] = m.known[k].ID, m.change(k, b)
		}
	}
	gone := map[memory.ID]bool{}
	for _, t := range r.TakeOvers {
		gone[t.Elder], gone[t.Younger] = true, true
	}
	for k, known := range m.known {
		if m.present(k) && m.blockOf[k] == none && !gone[known.ID] {
			r.Missing = append(r.Missing, known.ID)
		}
	}
	return r
}

func (m *matcher) change(k, b int) memory.Change {
	known, block := m.known[k], m.blocks[b]
	switch {
	case known.Missing:
		return memory.Returned
	case known.Fingerprint != block.Block.Fingerprint:
		return memory.Edited
	case known.Path != block.Path:
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
	ids := make([]memory.ID, len(m.blocks))
	for b, block := range m.blocks {
		if m.memoryOf[b] == none && block.PreferredID != "" && !taken[block.PreferredID] {
			ids[b], taken[block.PreferredID] = block.PreferredID, true
		}
	}
	occurrence := map[memory.Fingerprint]int{}
	for b, block := range m.blocks {
		print := block.Block.Fingerprint
		for m.memoryOf[b] == none && ids[b] == "" {
			id := memory.NewID(print, occurrence[print])
			occurrence[print]++
			if !taken[id] {
				ids[b], taken[id] = id, true
			}
		}
	}
	return ids
}

func allNone(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = none
	}
	return s
}
