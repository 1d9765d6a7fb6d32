package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// copies are the unpaired blocks and memories of one text.
type copies struct{ blocks, present, missing []int }

// ownText is a text that one user has. If user is empty, it is everybody's, or that of
// users of whom no memory with this text is known.
type ownText struct {
	text memory.Fingerprint
	user string
}

// matchSameText pairs equal texts, in the same file first, then elsewhere. A
// present memory always finds its text, unless it moved before. A missing memory
// of the same file goes before a present one of another file only where enough
// blocks are left for both. So switching to a branch and back changes nothing.
// Among missing memories and those that moved, the one with the block's preferred id goes
// first.
func (m *matcher) matchSameText() {
	texts, order := m.copiesByText()
	for _, c := range order {
		m.pairInSameFile(c.present, c.blocks, len(c.blocks))
	}
	for _, c := range order {
		m.pairAtPastPlaces(c.present, c.blocks, len(c.blocks))
	}
	m.matchReturnedWordings()
	unpairedTexts := map[memory.Fingerprint]bool{}
	for own, c := range texts {
		unpairedTexts[own.text] = unpairedTexts[own.text] || len(m.unpaired(nil, c.blocks).blocks) > 0
	}
	for _, c := range order {
		m.pairNamed(c.missing, c.blocks, m.spareBlocks(c))
		m.pairInSameFile(c.missing, c.blocks, m.spareBlocks(c))
		m.pairAtPastPlaces(c.missing, c.blocks, m.spareBlocks(c))
		m.pairEditedAtPastPlaces(c, unpairedTexts)
	}
	for _, c := range order {
		rest := m.unpaired(c.present, c.blocks)
		if len(rest.present) == 1 && len(rest.blocks) == 1 && !(m.movedBefore(rest.present[0]) && m.isReserved(rest.blocks[0])) {
			m.claim(rest.present[0], rest.blocks[0])
		}
	}
	moves := m.fileMoves()
	for _, c := range order {
		m.pairElsewhere(c, moves)
	}
	m.pairWithOtherUser(order)
}

// copiesByText returns the copies of each text of each user, and lists them in the order
// of their blocks.
func (m *matcher) copiesByText() (texts map[ownText]*copies, order []*copies) {
	texts = map[ownText]*copies{}
	owned := map[ownText]bool{}
	for k, known := range m.known {
		if m.claimable(k) {
			owned[ownText{known.Fingerprint, known.User}] = true
		}
	}
	for b, block := range m.blocks {
		if m.memoryOf[b] != none {
			continue
		}
		own := ownText{block.Block.Fingerprint, block.User}
		if !owned[own] {
			own.user = ""
		}
		if texts[own] == nil {
			texts[own] = &copies{}
			order = append(order, texts[own])
		}
		texts[own].blocks = append(texts[own].blocks, b)
	}
	for k, known := range m.known {
		if c := texts[ownText{known.Fingerprint, known.User}]; c != nil && m.claimable(k) {
			if known.Missing {
				c.missing = append(c.missing, k)
			} else {
				c.present = append(c.present, k)
			}
		}
	}
	return texts, order
}

// pairWithOtherUser pairs the blocks that are left with memories of other users that had
// the text in the same file. A person changed the user beside the text.
func (m *matcher) pairWithOtherUser(order []*copies) {
	left := map[memory.Fingerprint][]int{}
	for k, known := range m.known {
		if known.User != "" && m.present(k) && m.claimable(k) {
			left[known.Fingerprint] = append(left[known.Fingerprint], k)
		}
	}
	if len(left) == 0 {
		return
	}
	for _, c := range order {
		m.pairInSameFile(left[m.textOfBlock(c.blocks[0])], c.blocks, len(c.blocks))
	}
}

// pairElsewhere pairs the copies of one text that changed files. Those that moved
// before and missing ones do not get reserved blocks.
func (m *matcher) pairElsewhere(c *copies, moves []fileMove) {
	m.pairNamed(c.present, c.blocks, len(c.blocks))
	settled := slices.DeleteFunc(slices.Clone(c.present), m.movedBefore)
	m.pairAlongMoves(settled, c.blocks, moves)
	m.pairAnywhere(settled, c.blocks)
	unreserved := slices.DeleteFunc(slices.Clone(c.blocks), m.isReserved)
	m.pairAlongMoves(c.present, unreserved, moves)
	m.pairAnywhere(c.present, unreserved)
	m.pairNamed(c.missing, c.blocks, len(c.blocks))
	m.pairAnywhere(c.missing, unreserved)
}

// spareBlocks returns how many blocks of one text missing memories of the same
// file may get, so that each present memory still finds its text. A present
// memory that moved before may go missing instead: the file that it left may
// return later.
func (m *matcher) spareBlocks(c *copies) int {
	rest := m.unpaired(c.present, c.blocks)
	return len(rest.blocks) - len(slices.DeleteFunc(rest.present, m.movedBefore))
}

// unpaired returns the memories and blocks that can still be paired.
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

// pairNamed pairs at most so many memories with the blocks of one text whose
// preferred ids they have.
func (m *matcher) pairNamed(ks, bs []int, most int) {
	for _, b := range bs {
		preferred := m.blocks[b].PreferredID
		if most <= 0 || preferred == "" || m.memoryOf[b] != none {
			continue
		}
		if i := slices.IndexFunc(ks, func(k int) bool { return m.claimable(k) && m.known[k].ID == preferred }); i >= 0 {
			m.claim(ks[i], b)
			most--
		}
	}
}

// pairInSameFile pairs at most so many copies of one text, file by file.
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

// fileMoves lists the file pairs that matched lines moved between, most lines
// first. A renamed file takes its copies of other texts along.
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

// pairAlongMoves pairs copies of one text that moved where other lines moved.
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

// pairAnywhere pairs copies of one text in any files: under the same heading
// first, then by order. Memories whose file has no blocks left come first,
// because a copy in a remaining file may have been deleted. Blocks whose text
// is a past text of a claimable memory in their file come last, so that this
// memory can still match them.
func (m *matcher) pairAnywhere(ks, bs []int) {
	c := m.unpaired(ks, bs)
	if len(c.present) == 0 || len(c.blocks) == 0 {
		return
	}
	c.present = partition(c.present, func(k int) bool { return !m.hasBlocks[m.known[k].Path] })
	c.blocks = partition(c.blocks, func(b int) bool { return !m.isPastTextInFile(b) })
	byHeading := map[string][]int{}
	for _, k := range c.present {
		h := headingKey(m.known[k].Heading)
		byHeading[h] = append(byHeading[h], k)
	}
	for _, b := range c.blocks {
		h := headingKey(m.blocks[b].Block.Heading)
		if ks := byHeading[h]; len(ks) > 0 {
			m.claim(ks[0], b)
			byHeading[h] = ks[1:]
		}
	}
	left := m.unpaired(c.present, c.blocks)
	for i := range min(len(left.present), len(left.blocks)) {
		m.claim(left.present[i], left.blocks[i])
	}
}

// partition returns the members for which first holds, then the others.
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
