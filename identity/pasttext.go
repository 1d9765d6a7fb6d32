package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// matchPastText pairs a text that returned with the memory that had it before:
// one of the same file first, and one that stood in the batch until now before
// one that was missing. A text that another memory still says elsewhere did not
// return in a third file, it was copied there.
func (m *matcher) matchPastText() {
	if len(m.pastHolders) == 0 {
		return
	}
	present := map[memory.Fingerprint]bool{}
	for k, known := range m.known {
		present[known.Fingerprint] = present[known.Fingerprint] || m.textIsPresent(k)
	}
	for _, sameFile := range []bool{true, false} {
		for _, missing := range []bool{false, true} {
			for b, block := range m.blocks {
				text := block.Block.Fingerprint
				if m.memoryOf[b] != none || missing && !sameFile && present[text] {
					continue
				}
				i := slices.IndexFunc(m.pastHolders[text], func(k int) bool {
					return m.claimable(k) && (m.known[k].Path == block.Path) == sameFile && m.known[k].Missing == missing
				})
				if i >= 0 {
					m.claim(m.pastHolders[text][i], b)
				}
			}
		}
	}
}

// findPastHolders gives, for every text, the memories that said it before what
// they say now.
func findPastHolders(known []KnownMemory) map[memory.Fingerprint][]int {
	holders := map[memory.Fingerprint][]int{}
	for k, memory := range known {
		for _, text := range memory.PastFingerprints {
			if !memory.OutsideBatch && text != memory.Fingerprint {
				holders[text] = append(holders[text], k)
			}
		}
	}
	return holders
}

// isPastTextInFile says that a memory which stands in the block's file, and is not
// claimed, said this text before.
func (m *matcher) isPastTextInFile(b int) bool {
	return slices.ContainsFunc(m.pastHolders[m.blocks[b].Block.Fingerprint], func(k int) bool {
		return m.claimable(k) && m.known[k].Path == m.blocks[b].Path
	})
}

// matchReturnedWordings sees copies that were reworded, or deleted, on different branches:
// each says again what it said before, and that another says it now must not
// exchange them. It is believed only where all of them find a text that they
// know, so that no text that merely moved is parted from its memory.
func (m *matcher) matchReturnedWordings() {
	hasBlock, hasMemory := map[int]bool{}, m.missingInSameFile()
	var pairs, otherFile [][2]int
	for b, block := range m.blocks {
		for _, k := range m.pastHolders[block.Block.Fingerprint] {
			switch {
			case m.memoryOf[b] != none || !m.claimable(k) || !m.present(k):
				continue
			case m.known[k].Path == block.Path:
				hasMemory[b] = true
				pairs = append(pairs, [2]int{k, b})
			default:
				otherFile = append(otherFile, [2]int{k, b})
			}
			hasBlock[k] = true
		}
	}
	if pairs = append(pairs, otherFile...); len(pairs) == 0 {
		return
	}
	unmatchedKnown, unmatchedNew := m.unmatchedTexts(hasBlock, hasMemory)
	for _, p := range pairs {
		k, b := p[0], p[1]
		if m.blockOf[k] == none && m.memoryOf[b] == none && !unmatchedKnown[m.blocks[b].Block.Fingerprint] && !unmatchedNew[m.known[k].Fingerprint] {
			m.claim(k, b)
		}
	}
}

// unmatchedTexts are the texts of memories and of blocks that have nothing at home.
func (m *matcher) unmatchedTexts(hasBlock, hasMemory map[int]bool) (known, blocks map[memory.Fingerprint]bool) {
	known, blocks = map[memory.Fingerprint]bool{}, map[memory.Fingerprint]bool{}
	for k := range m.known {
		if m.present(k) && m.blockOf[k] == none && !hasBlock[k] {
			known[m.known[k].Fingerprint] = true
		}
	}
	for b := range m.blocks {
		if m.memoryOf[b] == none && !hasMemory[b] {
			blocks[m.blocks[b].Block.Fingerprint] = true
		}
	}
	return known, blocks
}

// missingInSameFile gives the blocks whose text is missed in their own file.
func (m *matcher) missingInSameFile() map[int]bool {
	type textOf struct {
		path string
		text memory.Fingerprint
	}
	missed := map[textOf]bool{}
	for _, known := range m.known {
		if known.Missing {
			missed[textOf{known.Path, known.Fingerprint}] = true
		}
	}
	found := map[int]bool{}
	for b, block := range m.blocks {
		if m.memoryOf[b] == none && missed[textOf{block.Path, block.Block.Fingerprint}] {
			found[b] = true
		}
	}
	return found
}
