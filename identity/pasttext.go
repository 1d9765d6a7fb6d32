package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// matchPastText pairs a block with a memory that had its text in the past.
// Memories that had it in the block's file come first, then other memories of
// that file. Of each, present ones come before missing ones.
// If another memory still has the text, a block in a third file is a copy and
// not a return.
func (m *matcher) matchPastText() {
	if len(m.pastHolders) == 0 {
		return
	}
	present := m.presentTexts()
	for _, near := range []nearness{pastPlace, sameFile, otherFile} {
		for _, missing := range []bool{false, true} {
			for b, block := range m.blocks {
				text := block.Block.Fingerprint
				if m.memoryOf[b] != none || missing && near == otherFile && (present[text] || m.isReserved(b)) {
					continue
				}
				for _, k := range m.holdersOf(block, near) {
					if m.claimable(k) && m.known[k].Missing == missing && !m.isOthers(k, b) {
						m.claim(k, b)
						break
					}
				}
			}
		}
	}
}

// nearness is where a memory had a past text, relative to a block.
type nearness int

const (
	pastPlace nearness = iota // in the block's file, which it left or where it was edited
	sameFile                  // anywhere; its current or last place is in the block's file
	otherFile
)

// holdersOf returns the memories that had a block's text in the past.
func (m *matcher) holdersOf(block NewBlock, near nearness) (ks []int) {
	text := block.Block.Fingerprint
	if near == pastPlace {
		for _, h := range m.pastPlaces[placeText{block.Path, text}] {
			if m.known[h.known].Fingerprint != text {
				ks = append(ks, h.known)
			}
		}
		return ks
	}
	for _, k := range m.pastHolders[text] {
		if (m.known[k].Path == block.Path) == (near == sameFile) {
			ks = append(ks, k)
		}
	}
	return ks
}

// findPastHolders maps every past text to the memories that had it.
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

// isPastTextInFile reports whether a claimable memory of the block's file had
// this text in the past.
func (m *matcher) isPastTextInFile(b int) bool {
	return slices.ContainsFunc(m.pastHolders[m.blocks[b].Block.Fingerprint], func(k int) bool {
		return m.claimable(k) && m.known[k].Path == m.blocks[b].Path && !m.isOthers(k, b)
	})
}

// matchReturnedWordings handles copies of a text that were reworded or deleted
// on different branches. Each of them returns to its past text, even if another
// memory has that text now. It applies only where all memories and blocks of a
// text find a match, so that a text that merely moved keeps its memory.
func (m *matcher) matchReturnedWordings() {
	hasBlock, hasMemory := map[int]bool{}, m.missingInSameFile()
	var pairs, otherFile [][2]int
	for b, block := range m.blocks {
		for _, k := range m.pastHolders[block.Block.Fingerprint] {
			switch {
			case m.memoryOf[b] != none || !m.claimable(k) || !m.present(k) || m.isOthers(k, b):
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

// unmatchedTexts returns the texts of present memories without a block, and of
// blocks without a memory.
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

// missingInSameFile returns the blocks whose text belongs to a missing memory
// of their file.
func (m *matcher) missingInSameFile() map[int]bool {
	type textOf struct {
		path string
		own  ownText
	}
	missed := map[textOf]bool{}
	for _, known := range m.known {
		if known.Missing {
			missed[textOf{known.Path, ownText{known.Fingerprint, known.User}}] = true
		}
	}
	found := map[int]bool{}
	for b, block := range m.blocks {
		for _, user := range []string{"", block.User} {
			if m.memoryOf[b] == none && missed[textOf{block.Path, ownText{block.Block.Fingerprint, user}}] {
				found[b] = true
			}
		}
	}
	return found
}
