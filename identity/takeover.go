package identity

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// takeOverWindow is the maximum age of a copy when its original vanishes, for
// both to be one move. A person who pastes in one file, saves, and cuts in
// another needs seconds; an interrupted agent needs some minutes.
const takeOverWindow = 10 * time.Minute

// takeOvers moves each memory that lost its text to the place of a younger
// memory with that text. The copy was saved first, then the original was
// removed. It also moves each of them back to a younger memory at a past place:
// the file returned first. The younger one must have no decision of its own and
// no past text.
func (m *matcher) takeOvers() []memory.TakeOver {
	younger := m.youngCopies()
	if len(younger) == 0 {
		return nil
	}
	t := &takeOver{matcher: m, dropped: map[int]bool{}, done: map[int]bool{}}
	for k, elder := range m.known {
		for _, p := range elder.PastPlaces {
			t.takeFirst(k, younger[p.Fingerprint], func(y int) bool { return m.pathOf(y) == p.Path })
		}
	}
	for k, elder := range m.known {
		t.takeFirst(k, younger[elder.Fingerprint], func(y int) bool { return len(elder.PastPlaces) == 0 || !m.isPlaceOfOther(y) })
	}
	return t.list
}

// youngCopies returns the memories that may be taken over, by text.
func (m *matcher) youngCopies() map[memory.Fingerprint][]int {
	younger := map[memory.Fingerprint][]int{}
	for k, known := range m.known {
		if !known.Missing && !known.BeingDestroyed && !known.HasDecision && len(known.PastFingerprints) <= 1 && m.now.Sub(known.FirstSeen) <= takeOverWindow && m.textIsPresent(k) {
			younger[known.Fingerprint] = append(younger[known.Fingerprint], k)
		}
	}
	return younger
}

// canTakeOver reports whether one of the younger memories has the text of an
// elder one.
func (m *matcher) canTakeOver(k int, younger map[memory.Fingerprint][]int) bool {
	return slices.ContainsFunc(younger[m.known[k].Fingerprint], func(y int) bool {
		return m.known[k].FirstSeen.Before(m.known[y].FirstSeen) && m.mayBeOwnCopy(k, y)
	})
}

// mayBeOwnCopy reports whether a younger memory may be a copy by the user of an elder one.
func (m *matcher) mayBeOwnCopy(k, y int) bool {
	user := m.known[y].User
	if b := m.blockOf[y]; b != none {
		user = m.blocks[b].User
	}
	return m.known[k].User == "" || m.known[k].User == user
}

// takeOver collects takeovers.
type takeOver struct {
	*matcher
	list    []memory.TakeOver
	dropped map[int]bool // younger memories that were taken over
	done    map[int]bool // elder memories that took one over
}

// takeFirst lets an elder memory that lost its text take over the first of some
// younger memories that it accepts.
func (t *takeOver) takeFirst(k int, younger []int, accepts func(y int) bool) {
	if !t.present(k) || t.known[k].BeingDestroyed || t.blockOf[k] != none || t.dropped[k] || t.done[k] {
		return
	}
	for _, y := range younger {
		if y == k || t.dropped[y] || !t.known[k].FirstSeen.Before(t.known[y].FirstSeen) || !t.mayBeOwnCopy(k, y) || !accepts(y) {
			continue
		}
		if b := t.blockOf[y]; b != none {
			t.blockOf[y] = none
			t.claim(k, b)
		}
		t.dropped[y], t.done[k] = true, true
		t.list = append(t.list, memory.TakeOver{Elder: t.known[k].ID, Younger: t.known[y].ID})
		return
	}
}

// pathOf returns the file of a present memory after the batch.
func (m *matcher) pathOf(k int) string {
	if b := m.blockOf[k]; b != none {
		return m.blocks[b].Path
	}
	return m.known[k].Path
}

// isPlaceOfOther reports whether a memory is at a past place of another memory.
func (m *matcher) isPlaceOfOther(k int) bool {
	for _, h := range m.pastPlaces[placeText{m.pathOf(k), m.known[k].Fingerprint}] {
		if h.known != k {
			return true
		}
	}
	return false
}

// textIsPresent reports whether the memory's text is still in its file or
// elsewhere in the batch.
func (m *matcher) textIsPresent(k int) bool {
	b := m.blockOf[k]
	return m.known[k].OutsideBatch || b != none && m.blocks[b].Block.Fingerprint == m.known[k].Fingerprint
}
