package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// sameBlockID pairs what carries the same ^id in the same file. A person, or
// Obsidian, put it there to name the text whatever becomes of its words; in
// another file it names something else, and only breaks ties.
func (m *matcher) sameBlockID() {
	type label struct{ path, id string }
	holders := map[label][]int{}
	for k, known := range m.known {
		if known.BlockID != "" && m.free(k) {
			at := label{known.Path, known.BlockID}
			holders[at] = append(holders[at], k)
		}
	}
	for _, ks := range holders {
		slices.SortStableFunc(ks, m.presentFirst)
	}
	survivors := m.countSurvivors()
	for _, sameText := range []bool{true, false} {
		for f, fresh := range m.fresh {
			ks := holders[label{fresh.Path, fresh.Block.BlockID}]
			if fresh.Block.BlockID == "" || m.of[f] != none {
				continue
			}
			i := slices.IndexFunc(ks, func(k int) bool {
				return m.free(k) && (m.known[k].Fingerprint == fresh.Block.Fingerprint) == sameText
			})
			if i < 0 {
				continue
			}
			if apart := survivors.apart(m.known[ks[i]], fresh); !apart || sameText && m.present(ks[i]) {
				m.claim(ks[i], f)
				survivors.pair(m.known[ks[i]], fresh)
			}
		}
	}
}

func (m *matcher) presentFirst(a, b int) int {
	switch {
	case m.known[a].Missing == m.known[b].Missing:
		return 0
	case m.known[b].Missing:
		return -1
	}
	return 1
}

// survivors counts the texts that are before and after, and not paired yet.
type survivors struct{ known, fresh map[memory.Fingerprint]int }

func (m *matcher) countSurvivors() survivors {
	s := survivors{map[memory.Fingerprint]int{}, map[memory.Fingerprint]int{}}
	for k, known := range m.known {
		if m.present(k) {
			s.known[known.Fingerprint]++
		}
	}
	for _, fresh := range m.fresh {
		s.fresh[fresh.Block.Fingerprint]++
	}
	return s
}

func (s survivors) pair(k Known, f NewBlock) {
	if !k.Missing {
		s.known[k.Fingerprint]--
	}
	s.fresh[f.Block.Fingerprint]--
}

// apart says that pairing these two would part a text from its memory: every
// copy of the one's text is still there, or every copy of the other's was there
// already. A ^id that was put on another line takes no memory along.
func (s survivors) apart(k Known, f NewBlock) bool {
	was, is := k.Fingerprint, f.Block.Fingerprint
	return !k.Missing && s.fresh[was] >= s.known[was] || s.known[is] > 0 && s.known[is] >= s.fresh[is]
}
