package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// copies are the blocks and the memories of one text that are not paired yet.
type copies struct{ blocks, present, missing []int }

// matchSameText pairs what says exactly the same: in the same file, then elsewhere.
// A memory that stood in the batch until now always finds its text; a missing
// one that stood in the same file goes before it only where enough blocks are
// left for both, so that a branch and back changes nothing.
func (m *matcher) matchSameText() {
	texts := map[memory.Fingerprint]*copies{}
	var order []*copies
	for b, block := range m.blocks {
		if m.memoryOf[b] != none {
			continue
		}
		c := texts[block.Block.Fingerprint]
		if c == nil {
			c = &copies{}
			texts[block.Block.Fingerprint] = c
			order = append(order, c)
		}
		c.blocks = append(c.blocks, b)
	}
	for k, known := range m.known {
		if c := texts[known.Fingerprint]; c != nil && m.claimable(k) {
			if known.Missing {
				c.missing = append(c.missing, k)
			} else {
				c.present = append(c.present, k)
			}
		}
	}
	for _, c := range order {
		m.pairInSameFile(c.present, c.blocks, len(c.blocks))
	}
	m.matchReturnedWordings()
	for _, c := range order {
		rest := m.unpaired(c.present, c.blocks)
		m.pairInSameFile(c.missing, c.blocks, len(rest.blocks)-len(rest.present))
	}
	for _, c := range order {
		if rest := m.unpaired(c.present, c.blocks); len(rest.present) == 1 && len(rest.blocks) == 1 {
			m.claim(rest.present[0], rest.blocks[0])
		}
	}
	moves := m.fileMoves()
	for _, c := range order {
		m.pairAlongMoves(c.present, c.blocks, moves)
		m.pairAnywhere(c.present, c.blocks)
		m.pairAnywhere(c.missing, c.blocks)
	}
}

func (m *matcher) unpaired(ks, bs []int) (c copies) {
	for _, k := range ks {
		if m.claimable(k) {
			c.present = append(c.present, k)
		}
	}
	for _, b := range bs {
		if m.memoryOf[b] == none {
			c.blocks = append(c.blocks, b)
		}
	}
	return c
}

// pairInSameFile pairs copies of one text, file by file, at most this many.
func (m *matcher) pairInSameFile(ks, bs []int, most int) {
	c := m.unpaired(ks, bs)
	for len(c.present) > 0 && len(c.blocks) > 0 && most > 0 {
		path := m.known[c.present[0]].Path
		same := func(k int) bool { return m.known[k].Path == path }
		inFile := slices.DeleteFunc(slices.Clone(c.blocks), func(b int) bool { return m.blocks[b].Path != path })
		k := len(c.present)
		if i := slices.IndexFunc(c.present, func(k int) bool { return !same(k) }); i >= 0 {
			k = i // known is sorted by path
		}
		most -= m.pairInOrder(c.present[:k], inFile, most)
		c.present = c.present[k:]
	}
}

// fileMove is a pair of files that lines moved between.
type fileMove struct{ from, to string }

// fileMoves counts the lines that certainly went from one file to another, most
// first: a file that was renamed took its copies of other texts along.
func (m *matcher) fileMoves() []fileMove {
	count := map[fileMove]int{}
	for k, b := range m.blockOf {
		if b != none && m.present(k) && m.known[k].Path != m.blocks[b].Path {
			count[fileMove{m.known[k].Path, m.blocks[b].Path}]++
		}
	}
	return slices.SortedFunc(maps.Keys(count), func(a, b fileMove) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a.from, b.from), strings.Compare(a.to, b.to))
	})
}

// pairAlongMoves pairs copies of one text that went where other lines went.
func (m *matcher) pairAlongMoves(ks, bs []int, moves []fileMove) {
	for _, r := range moves {
		c := m.unpaired(ks, bs)
		if len(c.present) == 0 || len(c.blocks) == 0 {
			return
		}
		from := slices.DeleteFunc(c.present, func(k int) bool { return m.known[k].Path != r.from })
		to := slices.DeleteFunc(c.blocks, func(b int) bool { return m.blocks[b].Path != r.to })
		m.pairInOrder(from, to, len(to))
	}
}

// pairAnywhere pairs copies of one text wherever they stand: under the same heading
// first, then by order. A copy whose whole file is gone has to be somewhere; one
// whose file is still there may have been deleted. A block that some memory of
// its own file said before is left to that one if others can be had.
func (m *matcher) pairAnywhere(ks, bs []int) {
	c := m.unpaired(ks, bs)
	if len(c.present) == 0 || len(c.blocks) == 0 {
		return
	}
	c.present = partition(c.present, func(k int) bool { return !m.hasBlocks[m.known[k].Path] })
	c.blocks = partition(c.blocks, func(b int) bool { return !m.isPastTextInFile(b) })
	waiting := map[string][]int{}
	for _, k := range c.present {
		h := headingKey(m.known[k].Heading)
		waiting[h] = append(waiting[h], k)
	}
	for _, b := range c.blocks {
		h := headingKey(m.blocks[b].Block.Heading)
		if ks := waiting[h]; len(ks) > 0 {
			m.claim(ks[0], b)
			waiting[h] = ks[1:]
		}
	}
	left := m.unpaired(c.present, c.blocks)
	for i := range min(len(left.present), len(left.blocks)) {
		m.claim(left.present[i], left.blocks[i])
	}
}

// partition gives the members that a condition holds for, then the others.
func partition(list []int, first func(int) bool) []int {
	var yes, no []int
	for _, i := range list {
		if first(i) {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return append(yes, no...)
}
