package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// withoutOthersTexts removes the pairs between files whose block is more likely
// another memory that this batch does not show. That is a memory of a file outside
// the batch that has or had the very text. Or it is a missing one whose text is
// more similar. It also removes the pairs of memories that can take over a copy of
// their own text. A rename that is seen in parts looks like that.
func (m *matcher) withoutOthersTexts(pairs []candidatePair) []candidatePair {
	outside := map[memory.Fingerprint]bool{}
	for _, known := range m.known {
		if known.OutsideBatch {
			outside[known.Fingerprint] = true
			for _, text := range known.PastFingerprints {
				outside[text] = true
			}
		}
	}
	younger := m.youngCopies()
	pairs = slices.DeleteFunc(pairs, func(s candidatePair) bool {
		return !s.position.file && (outside[m.blocks[s.block].Block.Fingerprint] || m.canTakeOver(s.known, younger))
	})
	present := m.presentTexts()
	pairs = slices.DeleteFunc(pairs, func(s candidatePair) bool {
		isCopy := present[m.blocks[s.block].Block.Fingerprint]
		return m.wasLeftInBatch(s.block) || isCopy && s.overlap.dice < acceptDice
	})
	missing := m.bestMissing(pairs)
	return slices.DeleteFunc(pairs, func(s candidatePair) bool {
		return !s.position.file && missing[s.block] > s.overlap.dice
	})
}

// wasLeftInBatch reports whether a block has a past text of a memory of its file
// that this batch moves to another file. Both are more likely than an edit of a
// third memory.
func (m *matcher) wasLeftInBatch(b int) bool {
	return slices.ContainsFunc(m.pastPlaces[m.placeOf(b)], func(h placeHolder) bool {
		to := m.blockOf[h.known]
		return to != none && m.known[h.known].Path == m.blocks[b].Path && m.blocks[to].Path != m.blocks[b].Path
	})
}

// presentTexts returns the texts that memories kept in this batch or have in
// files outside it.
func (m *matcher) presentTexts() map[memory.Fingerprint]bool {
	texts := map[memory.Fingerprint]bool{}
	for k, known := range m.known {
		if m.textIsPresent(k) {
			texts[known.Fingerprint] = true
		}
	}
	return texts
}

// bestMissing returns, for each block that may be an edit from another file, its
// highest Dice coefficient with a missing memory.
func (m *matcher) bestMissing(pairs []candidatePair) map[int]float64 {
	best := map[int]float64{}
	index := newMemoryIndex(m)
	for k, known := range m.known {
		if known.Missing && m.blockOf[k] == none && m.isRecent(k) {
			index.add(k, gap{})
		}
	}
	if len(index.texts) == 0 {
		return best
	}
	done := map[int]bool{}
	for _, s := range pairs {
		if s.position.file || done[s.block] {
			continue
		}
		done[s.block] = true
		words := index.vocabulary.wordList(m.blocks[s.block].Block.Text)
		for _, k := range index.candidates(words, gap{}, 0) {
			if index.texts[k].mayOverlap(words) {
				best[s.block] = max(best[s.block], compare(index.texts[k].words, words.words).dice)
			}
		}
	}
	return best
}
