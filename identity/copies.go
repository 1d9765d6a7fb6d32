package identity

import (
	"strings"

	"github.com/memory-tiered/memory"
)

// manyCopies bounds the table in which copies of one text are lined up: beyond
// a thousand by a thousand in one file, their order alone decides.
const manyCopies = 1_000_000

// inOrder pairs copies of one text in one file, at most this many, and says how
// many it paired: under the same heading first, so that a section that moved
// takes its copy along, then the rest.
func (m *matcher) inOrder(ks, fs []int, most int) int {
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
	for _, f := range fs {
		h := headingKey(m.fresh[f].Block.Heading)
		c := under[h]
		c.fresh = append(c.fresh, f)
		under[h] = c
	}
	for _, h := range headings {
		paired += m.lineUp(under[h].present, under[h].fresh, most-paired)
	}
	rest := m.unpaired(ks, fs)
	return paired + m.lineUp(rest.present, rest.fresh, most-paired)
}

// lineUp pairs two rows of copies without crossing, all of the shorter one, so
// that as many neighbours as possible agree.
func (m *matcher) lineUp(ks, fs []int, most int) int {
	n := min(len(ks), len(fs), most)
	if n <= 0 {
		return 0
	}
	if len(ks) == len(fs) || len(ks)*len(fs) > manyCopies {
		for i := range n {
			m.claim(ks[i], fs[i])
		}
		return n
	}
	// best[i][j] is the most that the copies from i and from j on can agree. A
	// pair counts more than both its neighbours, so that no pair is given up.
	const pair = 3
	best := make([][]int, len(ks)+1)
	for i := range best {
		best[i] = make([]int, len(fs)+1)
	}
	for i := len(ks) - 1; i >= 0; i-- {
		for j := len(fs) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+pair+m.neighbours(ks[i], fs[j]))
		}
	}
	paired := 0
	for i, j := 0, 0; i < len(ks) && j < len(fs) && paired < n; {
		switch best[i][j] {
		case best[i+1][j+1] + pair + m.neighbours(ks[i], fs[j]):
			m.claim(ks[i], fs[j])
			i, j, paired = i+1, j+1, paired+1
		case best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return paired
}

// neighbours counts on how many of its two sides a copy stands beside the same
// text as before, or at the same end of the file.
func (m *matcher) neighbours(k, f int) int {
	if !m.present(k) {
		return 0
	}
	n := 0
	if m.textOfKnown(m.before[k]) == m.textOfFresh(m.previous(f)) {
		n++
	}
	if m.textOfKnown(m.after[k]) == m.textOfFresh(m.next(f)) {
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

func (m *matcher) textOfFresh(f int) memory.Fingerprint {
	if f == none {
		return memory.Fingerprint{}
	}
	return m.fresh[f].Block.Fingerprint
}

func headingKey(heading []string) string { return strings.Join(heading, "\x00") }
