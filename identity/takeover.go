package identity

import (
	"time"

	"github.com/memory-tiered/memory"
)

// takeOverWindow is the maximum age of a copy when its original vanishes, for
// both to be one move. A person who pastes in one file, saves, and cuts in
// another needs seconds; an interrupted agent needs some minutes.
const takeOverWindow = 10 * time.Minute

// takeOvers moves each memory that lost its text to the place of a younger
// memory with that text: the copy was saved first, then the original was
// removed. The younger one must have no decision of its own and no past text.
func (m *matcher) takeOvers(now time.Time) []memory.TakeOver {
	younger := map[memory.Fingerprint][]int{}
	for k, known := range m.known {
		if !known.Missing && !known.HasDecision && len(known.PastFingerprints) <= 1 && now.Sub(known.FirstSeen) <= takeOverWindow && m.textIsPresent(k) {
			younger[known.Fingerprint] = append(younger[known.Fingerprint], k)
		}
	}
	var out []memory.TakeOver
	dropped := map[int]bool{}
	for k, elder := range m.known {
		if !m.present(k) || m.blockOf[k] != none || dropped[k] {
			continue
		}
		for _, y := range younger[elder.Fingerprint] {
			if y == k || dropped[y] || !elder.FirstSeen.Before(m.known[y].FirstSeen) {
				continue
			}
			if b := m.blockOf[y]; b != none {
				m.blockOf[y] = none
				m.claim(k, b)
			}
			dropped[y] = true
			out = append(out, memory.TakeOver{Elder: elder.ID, Younger: m.known[y].ID})
			break
		}
	}
	return out
}

// textIsPresent reports whether the memory's text is still in its file or
// elsewhere in the batch.
func (m *matcher) textIsPresent(k int) bool {
	b := m.blockOf[k]
	return m.known[k].OutsideBatch || b != none && m.blocks[b].Block.Fingerprint == m.known[k].Fingerprint
}
