package identity

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// formerText pairs a text that returned with the memory that had it before:
// one of the same file first, and one that stood in the batch until now before
// one that was missing. A text that another memory still says elsewhere did not
// return in a third file, it was copied there.
func (m *matcher) formerText() {
	if len(m.had) == 0 {
		return
	}
	said := map[memory.Fingerprint]bool{}
	for k, known := range m.known {
		said[known.Fingerprint] = said[known.Fingerprint] || m.stands(k)
	}
	for _, sameFile := range []bool{true, false} {
		for _, missing := range []bool{false, true} {
			for f, fresh := range m.fresh {
				text := fresh.Block.Fingerprint
				if m.of[f] != none || missing && !sameFile && said[text] {
					continue
				}
				i := slices.IndexFunc(m.had[text], func(k int) bool {
					return m.free(k) && (m.known[k].Path == fresh.Path) == sameFile && m.known[k].Missing == missing
				})
				if i >= 0 {
					m.claim(m.had[text][i], f)
				}
			}
		}
	}
}

// formerHolders gives, for every text, the memories that said it before what
// they say now.
func formerHolders(known []Known) map[memory.Fingerprint][]int {
	had := map[memory.Fingerprint][]int{}
	for k, memory := range known {
		for _, f := range memory.PastFingerprints {
			if !memory.OutsideBatch && f != memory.Fingerprint {
				had[f] = append(had[f], k)
			}
		}
	}
	return had
}

// saidHere says that a memory which stands in the block's file, and is not
// claimed, said this text before.
func (m *matcher) saidHere(f int) bool {
	return slices.ContainsFunc(m.had[m.fresh[f].Block.Fingerprint], func(k int) bool {
		return m.free(k) && m.known[k].Path == m.fresh[f].Path
	})
}

// thereAndBack sees copies that were reworded, or deleted, on different branches:
// each says again what it said before, and that another says it now must not
// exchange them. It is believed only where all of them find a text that they
// know, so that no text that merely moved is parted from its memory.
func (m *matcher) thereAndBack() {
	home, holder := map[int]bool{}, m.missedHere()
	var pairs, afar [][2]int
	for f, fresh := range m.fresh {
		for _, k := range m.had[fresh.Block.Fingerprint] {
			switch {
			case m.of[f] != none || !m.free(k) || !m.present(k):
				continue
			case m.known[k].Path == fresh.Path:
				holder[f] = true
				pairs = append(pairs, [2]int{k, f})
			default:
				afar = append(afar, [2]int{k, f})
			}
			home[k] = true
		}
	}
	if pairs = append(pairs, afar...); len(pairs) == 0 {
		return
	}
	strayKnown, strayFresh := m.strays(home, holder)
	for _, p := range pairs {
		k, f := p[0], p[1]
		if m.by[k] == none && m.of[f] == none && !strayKnown[m.fresh[f].Block.Fingerprint] && !strayFresh[m.known[k].Fingerprint] {
			m.claim(k, f)
		}
	}
}

// strays are the texts of memories and of blocks that have nothing at home.
func (m *matcher) strays(home, holder map[int]bool) (known, fresh map[memory.Fingerprint]bool) {
	known, fresh = map[memory.Fingerprint]bool{}, map[memory.Fingerprint]bool{}
	for k := range m.known {
		if m.present(k) && m.by[k] == none && !home[k] {
			known[m.known[k].Fingerprint] = true
		}
	}
	for f := range m.fresh {
		if m.of[f] == none && !holder[f] {
			fresh[m.fresh[f].Block.Fingerprint] = true
		}
	}
	return known, fresh
}

// missedHere gives the blocks whose text is missed in their own file.
func (m *matcher) missedHere() map[int]bool {
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
	for f, fresh := range m.fresh {
		if m.of[f] == none && missed[textOf{fresh.Path, fresh.Block.Fingerprint}] {
			found[f] = true
		}
	}
	return found
}
