package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

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
	}
	m.thereAndBack()
	for _, c := range order {
		rest := m.unpaired(c.present, c.fresh)
		m.inSameFile(c.missing, c.fresh, len(rest.fresh)-len(rest.present))
	}
	for _, c := range order {
		if rest := m.unpaired(c.present, c.fresh); len(rest.present) == 1 && len(rest.fresh) == 1 {
			m.claim(rest.present[0], rest.fresh[0])
		}
	}
	moves := m.moves()
	for _, c := range order {
		m.alongside(c.present, c.fresh, moves)
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

// route is a pair of files that lines moved between.
type route struct{ from, to string }

// moves counts the lines that certainly went from one file to another, most
// first: a file that was renamed took its copies of other texts along.
func (m *matcher) moves() []route {
	count := map[route]int{}
	for k, f := range m.by {
		if f != none && m.present(k) && m.known[k].Path != m.fresh[f].Path {
			count[route{m.known[k].Path, m.fresh[f].Path}]++
		}
	}
	return slices.SortedFunc(maps.Keys(count), func(a, b route) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a.from, b.from), strings.Compare(a.to, b.to))
	})
}

// alongside pairs copies of one text that went where other lines went.
func (m *matcher) alongside(ks, fs []int, moves []route) {
	for _, r := range moves {
		c := m.unpaired(ks, fs)
		if len(c.present) == 0 || len(c.fresh) == 0 {
			return
		}
		from := slices.DeleteFunc(c.present, func(k int) bool { return m.known[k].Path != r.from })
		to := slices.DeleteFunc(c.fresh, func(f int) bool { return m.fresh[f].Path != r.to })
		m.inOrder(from, to, len(to))
	}
}

// anywhere pairs copies of one text wherever they stand: under the same heading
// first, then by order. A copy whose whole file is gone has to be somewhere; one
// whose file is still there may have been deleted. A block that some memory of
// its own file said before is left to that one if others can be had.
func (m *matcher) anywhere(ks, fs []int) {
	c := m.unpaired(ks, fs)
	if len(c.present) == 0 || len(c.fresh) == 0 {
		return
	}
	c.present = firstThose(c.present, func(k int) bool { return !m.living[m.known[k].Path] })
	c.fresh = firstThose(c.fresh, func(f int) bool { return !m.saidHere(f) })
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
	left := m.unpaired(c.present, c.fresh)
	for i := range min(len(left.present), len(left.fresh)) {
		m.claim(left.present[i], left.fresh[i])
	}
}

// firstThose gives the members that a condition holds for, then the others.
func firstThose(list []int, holds func(int) bool) []int {
	var yes, no []int
	for _, i := range list {
		if holds(i) {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return append(yes, no...)
}
