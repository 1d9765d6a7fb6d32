package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// matchBlockIDs pairs blocks and memories with the same ^id in the same file. A
// person or Obsidian wrote the id to identify the text even when its words
// change. In another file the same id identifies another text and only breaks
// ties.
func (m *matcher) matchBlockIDs() {
	type label struct{ path, id string }
	holders := map[label][]int{}
	for k, known := range m.known {
		if known.BlockID != "" && m.claimable(k) {
			at := label{known.Path, known.BlockID}
			holders[at] = append(holders[at], k)
		}
	}
	for _, ks := range holders {
		slices.SortStableFunc(ks, m.comparePresentFirst)
	}
	counts := m.countTexts()
	for _, sameText := range []bool{true, false} {
		for b, block := range m.blocks {
			ks := holders[label{block.Path, block.Block.BlockID}]
			if block.Block.BlockID == "" || m.memoryOf[b] != none {
				continue
			}
			i := slices.IndexFunc(ks, func(k int) bool {
				return m.claimable(k) && !m.isOthers(k, b) && (m.known[k].Fingerprint == block.Block.Fingerprint) == sameText
			})
			if i < 0 {
				continue
			}
			if separates := counts.separatesText(m.known[ks[i]], block); !separates || sameText && m.present(ks[i]) {
				m.claim(ks[i], b)
				counts.remove(m.known[ks[i]], block)
			}
		}
	}
}

// comparePresentFirst orders present memories before missing ones.
func (m *matcher) comparePresentFirst(a, b int) int {
	switch {
	case m.known[a].Missing == m.known[b].Missing:
		return 0
	case m.known[b].Missing:
		return -1
	}
	return 1
}

// textCounts counts the unpaired copies of each text before and after the
// batch.
type textCounts struct{ before, after map[memory.Fingerprint]int }

func (m *matcher) countTexts() textCounts {
	s := textCounts{map[memory.Fingerprint]int{}, map[memory.Fingerprint]int{}}
	for k, known := range m.known {
		if m.present(k) {
			s.before[known.Fingerprint]++
		}
	}
	for _, block := range m.blocks {
		s.after[block.Block.Fingerprint]++
	}
	return s
}

func (s textCounts) remove(k KnownMemory, b NewBlock) {
	if !k.Missing {
		s.before[k.Fingerprint]--
	}
	s.after[b.Block.Fingerprint]--
}

// separatesText reports whether pairing k and b would separate a text from its
// memory. That is so if every copy of k's text is still there, or every copy of
// b's text was already there. A ^id moved to another line takes no memory
// along.
func (s textCounts) separatesText(k KnownMemory, b NewBlock) bool {
	was, is := k.Fingerprint, b.Block.Fingerprint
	return !k.Missing && s.after[was] >= s.before[was] || s.before[is] > 0 && s.before[is] >= s.after[is]
}
