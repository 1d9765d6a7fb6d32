package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// none is the index that means "no block" or "no memory".
const none = -1

// matcher is a batch during matching. An index in known or blocks identifies a
// memory or a block.
type matcher struct {
	now        time.Time
	known      []KnownMemory // sorted by path and ordinal
	blocks     []NewBlock    // sorted by path and ordinal
	inputIndex []int         // block → its index in the caller's order

	pastHolders map[memory.Fingerprint][]int // past text → the memories that had it
	pastPlaces  map[placeText][]placeHolder  // file and text → the memories that left it, the last one first
	hasBlocks   map[string]bool              // files with blocks in the batch

	memoryOf []int // block → memory, or none
	blockOf  []int // memory → block, or none

	prevKnown []int // memory → the previous present memory in its file, or none
	nextKnown []int
}

func newMatcher(now time.Time, known []KnownMemory, blocks []NewBlock) *matcher {
	m := &matcher{now: now, known: slices.Clone(known), hasBlocks: map[string]bool{}, inputIndex: make([]int, len(blocks))}
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
	m.blocks = make([]NewBlock, 0, len(blocks))
	for _, i := range m.inputIndex {
		m.blocks = append(m.blocks, blocks[i])
		m.hasBlocks[blocks[i].Path] = true
	}
	m.memoryOf, m.blockOf = allNone(len(blocks)), allNone(len(known))
	m.pastHolders = findPastHolders(m.known)
	m.pastPlaces = findPastPlaces(m.known)
	m.linkNeighbours()
	return m
}

// linkNeighbours links the present memories of each file in order. Missing
// memories get no neighbours, because the lines next to them were renumbered
// since.
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

// present reports whether the memory was in a file of the batch before this
// batch.
func (m *matcher) present(k int) bool { return !m.known[k].Missing && !m.known[k].OutsideBatch }

// claimable reports whether a block may still match the memory. A memory in a
// file outside the batch stays there.
func (m *matcher) claimable(k int) bool {
	return m.blockOf[k] == none && !m.known[k].OutsideBatch && !m.known[k].BeingDestroyed
}

// isOthers reports whether a block belongs to another user than a memory, and is not the
// memory's text in its old file. What one user decided about a text, and what is known
// about it, does not pass to another user.
func (m *matcher) isOthers(k, b int) bool {
	known, block := m.known[k], m.blocks[b]
	return known.User != "" && known.User != block.User && (known.Missing || known.Path != block.Path)
}

func (m *matcher) claim(k, b int) { m.blockOf[k], m.memoryOf[b] = b, k }

// prevBlock and nextBlock return the neighbours of a block in its file, or
// none.
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

// result assigns ids to new memories, applies takeovers and lists missing
// memories.
func (m *matcher) result() Result {
	r := Result{IDs: make([]memory.ID, len(m.blocks)), Changes: make([]memory.Change, len(m.blocks))}
	r.TakeOvers = m.takeOvers()
	ids := m.newIDs()
	for b, given := range m.inputIndex {
		r.IDs[given], r.Changes[given] = ids[b], memory.Added
		if k := m.memoryOf[b]; k != none {
			r.IDs[given], r.Changes[given] = m.known[k].ID, m.change(k, b)
		}
	}
	takenOver := map[memory.ID]bool{}
	for _, t := range r.TakeOvers {
		takenOver[t.Elder], takenOver[t.Younger] = true, true
	}
	for k, known := range m.known {
		if m.present(k) && m.blockOf[k] == none && !takenOver[known.ID] {
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

// newIDs makes an id for every block that is a new memory, by path and ordinal.
// The id comes from its fingerprint, its user and the first occurrence number that
// is free.
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
	occurrence := map[ownText]int{}
	for b, block := range m.blocks {
		own := ownText{block.Block.Fingerprint, block.User}
		for m.memoryOf[b] == none && ids[b] == "" {
			id := memory.NewUserID(own.text, own.user, occurrence[own])
			occurrence[own]++
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
