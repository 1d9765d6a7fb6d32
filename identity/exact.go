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
			if i >= 0 && (sameText || !survivors.either(m.known[ks[i]], fresh)) {
				m.claim(ks[i], f)
				if sameText && m.present(ks[i]) {
					survivors.pair(fresh.Block.Fingerprint)
				}
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

func (s survivors) pair(f memory.Fingerprint) {
	s.known[f]--
	s.fresh[f]--
}

// either says that pairing these two would part a text from its memory: every
// copy of the one's text is still there, or every copy of the other's was there
// already. A ^id that was put on another line takes no memory along.
func (s survivors) either(k Known, f Fresh) bool {
	was, is := k.Fingerprint, f.Block.Fingerprint
	return !k.Missing && s.fresh[was] >= s.known[was] || s.known[is] > 0 && s.known[is] >= s.fresh[is]
}

// copies are the blocks and the memories of one text that are not paired yet.
type copies struct{ fresh, present, missing []int }

// sameText pairs what says exactly the same: in the same file, then elsewhere.
// A memory that stood in the batch until now always finds its text; a missing
// one that stood in the same file goes before it only where enough blocks are
// left for both, so that a branch and back changes nothing.
func (m *matcher) sameText() {
	texts := map[memory.Fingerprint]*copies{}
	var order []*copies
	for f, fresh := range m.fresh {
		if m.of[f] != none {
			continue
		}
		c := texts[fresh.Block.Fingerprint]
		if c == nil {
			c = &copies{}
			texts[fresh.Block.Fingerprint] = c
			order = append(order, c)
		}
		c.fresh = append(c.fresh, f)
	}
	for k, known := range m.known {
		if c := texts[known.Fingerprint]; c != nil && m.free(k) {
			if known.Missing {
				c.missing = append(c.missing, k)
			} else {
				c.present = append(c.present, k)
			}
		}
	}
	for _, c := range order {
		m.inSameFile(c.present, c.fresh, len(c.fresh))
		rest := m.unpaired(c.present, c.fresh)
		m.inSameFile(c.missing, c.fresh, len(rest.fresh)-len(rest.present))
		m.anywhere(c.present, c.fresh)
		m.anywhere(c.missing, c.fresh)
	}
}

func (m *matcher) unpaired(ks, fs []int) (c copies) {
	for _, k := range ks {
		if m.free(k) {
			c.present = append(c.present, k)
		}
	}
	for _, f := range fs {
		if m.of[f] == none {
			c.fresh = append(c.fresh, f)
		}
	}
	return c
}

// inSameFile pairs copies of one text, file by file, at most this many.
func (m *matcher) inSameFile(ks, fs []int, most int) {
	c := m.unpaired(ks, fs)
	for len(c.present) > 0 && len(c.fresh) > 0 && most > 0 {
		path := m.known[c.present[0]].Path
		same := func(k int) bool { return m.known[k].Path == path }
		here := slices.DeleteFunc(slices.Clone(c.fresh), func(f int) bool { return m.fresh[f].Path != path })
		k := len(c.present)
		if i := slices.IndexFunc(c.present, func(k int) bool { return !same(k) }); i >= 0 {
			k = i // known is sorted by path
		}
		most -= m.inOrder(c.present[:k], here, most)
		c.present = c.present[k:]
	}
}

// anywhere pairs copies of one text wherever they stand: under the same heading
// first, then by order.
func (m *matcher) anywhere(ks, fs []int) {
	c := m.unpaired(ks, fs)
	if len(c.present) == 0 || len(c.fresh) == 0 {
		return
	}
	waiting := map[string][]int{}
	for _, k := range c.present {
		h := headingKey(m.known[k].Heading)
		waiting[h] = append(waiting[h], k)
	}
	for _, f := range c.fresh {
		h := headingKey(m.fresh[f].Block.Heading)
		if ks := waiting[h]; len(ks) > 0 {
			m.claim(ks[0], f)
			waiting[h] = ks[1:]
		}
	}
	c = m.unpaired(ks, fs)
	for i := range min(len(c.present), len(c.fresh)) {
		m.claim(c.present[i], c.fresh[i])
	}
}

// formerText pairs a text that returned with the memory that had it before:
// one of the same file first, and one that stood in the batch until now before
// one that was missing.
func (m *matcher) formerText() {
	had := map[memory.Fingerprint][]int{}
	for k, known := range m.known {
		for _, f := range known.Former {
			if m.free(k) && f != known.Fingerprint {
				had[f] = append(had[f], k)
			}
		}
	}
	if len(had) == 0 {
		return
	}
	for _, sameFile := range []bool{true, false} {
		for _, missing := range []bool{false, true} {
			for f, fresh := range m.fresh {
				if m.of[f] != none {
					continue
				}
				ks := had[fresh.Block.Fingerprint]
				i := slices.IndexFunc(ks, func(k int) bool {
					return m.free(k) && (m.known[k].Path == fresh.Path) == sameFile && m.known[k].Missing == missing
				})
				if i >= 0 {
					m.claim(ks[i], f)
				}
			}
		}
	}
}
