package identity

import (
	"strings"

	"github.com/memory-tiered/memory"
)

// maxAlignTable limits the table that aligns copies of one text: from a
// thousand by a thousand copies in one file on, only their order counts.
const maxAlignTable = 1_000_000

// pairInOrder pairs at most so many copies of one text in one file and returns
// their number. It pairs copies under the same heading first, so that a moved
// section takes its copy along.
func (m *matcher) pairInOrder(ks, bs []int, most int) int {
	paired := 0
	var headings []string
	under := map[string]copies{}
	for _, k := range ks {
		h := headingKey(m.known[k].Heading)
		c, seen := under[h]
		if !seen {
			headings = append(headings, h)
		}
		c.present = append(c.present, k)
		under[h] = c
	}
	for _, b := range bs {
		h := headingKey(m.blocks[b].Block.Heading)
		c := under[h]
		c.blocks = append(c.blocks, b)
		under[h] = c
	}
	for _, h := range headings {
		paired += m.align(under[h].present, under[h].blocks, most-paired)
	}
	rest := m.unpaired(ks, bs)
	return paired + m.align(rest.present, rest.blocks, most-paired)
}

// align pairs two lists of copies without crossing. It pairs the whole shorter
// list, at most so many, and maximises the number of equal neighbours.
func (m *matcher) align(ks, bs []int, most int) int {
	n := min(len(ks), len(bs), most)
	if n <= 0 {
		return 0
	}
	if len(ks) == len(bs) || len(ks)*len(bs) > maxAlignTable {
		for i := range n {
			m.claim(ks[i], bs[i])
		}
		return n
	}
	// best[i][j] is the highest score of the copies from i and from j on. A
	// pair scores more than its two neighbours together, so that no pair is
	// given up.
	const pair = 3
	best := make([][]int, len(ks)+1)
	for i := range best {
		best[i] = make([]int, len(bs)+1)
	}
	for i := len(ks) - 1; i >= 0; i-- {
		for j := len(bs) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+pair+m.equalNeighbours(ks[i], bs[j]))
		}
	}
	paired := 0
	for i, j := 0, 0; i < len(ks) && j < len(bs) && paired < n; {
		switch best[i][j] {
		case best[i+1][j+1] + pair + m.equalNeighbours(ks[i], bs[j]):
			m.claim(ks[i], bs[j])
			i, j, paired = i+1, j+1, paired+1
		case best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return paired
}

// equalNeighbours counts the sides, 0 to 2, on which a copy has the same
// neighbour text as before, or the same end of the file. Between copies that follow
// each other only the order counts: a copy that is appended to them is the new one.
func (m *matcher) equalNeighbours(k, b int) int {
	if !m.present(k) {
		return 0
	}
	above, below := m.textOfKnown(m.prevKnown[k]), m.textOfKnown(m.nextKnown[k])
	n := 0
	if above == m.textOfBlock(m.prevBlock(b)) {
		n++
		if above == m.known[k].Fingerprint {
			return n
		}
	}
	if below == m.textOfBlock(m.nextBlock(b)) {
		n++
	}
	return n
}

func (m *matcher) textOfKnown(k int) memory.Fingerprint {
	if k == none {
		return memory.Fingerprint{}
	}
	return m.known[k].Fingerprint
}

func (m *matcher) textOfBlock(b int) memory.Fingerprint {
	if b == none {
		return memory.Fingerprint{}
	}
	return m.blocks[b].Block.Fingerprint
}

func headingKey(heading []string) string { return strings.Join(heading, "\x00") }
