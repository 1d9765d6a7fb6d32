package identity

// anchors say, for every memory and block, which pairs of its file that are
// matched already stand nearest above and below it. They are named by the block
// of the pair; none is the file's end.
type anchors struct {
	aboveKnown, belowKnown []int
	aboveBlock, belowBlock []int
}

func (m *matcher) findAnchors() *anchors {
	a := &anchors{allNone(len(m.known)), allNone(len(m.known)), allNone(len(m.blocks)), allNone(len(m.blocks))}
	// stayed says that a pair did not leave its file, and gives its block.
	stayed := func(k, b int) bool {
		return k != none && b != none && m.present(k) && m.known[k].Path == m.blocks[b].Path
	}
	for k := range m.known {
		if up := m.prevKnown[k]; up != none {
			if a.aboveKnown[k] = a.aboveKnown[up]; stayed(up, m.blockOf[up]) {
				a.aboveKnown[k] = m.blockOf[up]
			}
		}
	}
	for k := len(m.known) - 1; k >= 0; k-- {
		if down := m.nextKnown[k]; down != none {
			if a.belowKnown[k] = a.belowKnown[down]; stayed(down, m.blockOf[down]) {
				a.belowKnown[k] = m.blockOf[down]
			}
		}
	}
	for b := range m.blocks {
		if up := m.prevBlock(b); up != none {
			if a.aboveBlock[b] = a.aboveBlock[up]; stayed(m.memoryOf[up], up) {
				a.aboveBlock[b] = up
			}
		}
	}
	for b := len(m.blocks) - 1; b >= 0; b-- {
		if down := m.nextBlock(b); down != none {
			if a.belowBlock[b] = a.belowBlock[down]; stayed(m.memoryOf[down], down) {
				a.belowBlock[b] = down
			}
		}
	}
	return a
}

// gap is the stretch of a file between two anchors.
type gap struct {
	path         string
	above, below int
}

func (m *matcher) gapOfKnown(a *anchors, k int) gap {
	return gap{m.known[k].Path, a.aboveKnown[k], a.belowKnown[k]}
}

func (m *matcher) gapOfBlock(a *anchors, b int) gap {
	return gap{m.blocks[b].Path, a.aboveBlock[b], a.belowBlock[b]}
}

// position is what the place of a pair says for it.
type position struct {
	file, heading, above, below bool
	blockID                     bool // the same ^id, in another file
}

// maxNeighbourSteps is how far up and down a neighbour is looked for that moved to another
// file together with the memory: people move a handful of lines, or all.
const maxNeighbourSteps = 8

func (m *matcher) position(a *anchors, k, b int) position {
	known, block := m.known[k], m.blocks[b]
	p := position{file: known.Path == block.Path, heading: m.sameHeading(k, b),
		blockID: known.BlockID != "" && known.BlockID == block.Block.BlockID}
	if p.file {
		p.above = a.aboveKnown[k] == a.aboveBlock[b]
		p.below = a.belowKnown[k] == a.belowBlock[b]
		return p
	}
	p.above = m.neighbourMovedToo(k, b, func(k int) int { return m.prevKnown[k] }, m.prevBlock)
	p.below = m.neighbourMovedToo(k, b, func(k int) int { return m.nextKnown[k] }, m.nextBlock)
	return p
}

// neighbourMovedToo says that the nearest pair on one side that went from the
// memory's file to the block's is the same for both.
func (m *matcher) neighbourMovedToo(k, b int, stepKnown, stepBlock func(int) int) bool {
	from, to := m.known[k].Path, m.blocks[b].Path
	for range maxNeighbourSteps {
		if k = stepKnown(k); k == none {
			return false
		}
		if at := m.blockOf[k]; at != none && m.blocks[at].Path == to {
			for range maxNeighbourSteps {
				if b = stepBlock(b); b == none {
					return false
				}
				if was := m.memoryOf[b]; was != none && m.present(was) && m.known[was].Path == from {
					return b == at
				}
			}
			return false
		}
	}
	return false
}

// positionWeight is what one sign of the same place weighs against likeness. All four
// together weigh as much as one word in six: enough to tell apart lines of one
// make, not so much that a line of the same make which was written in its place
// is taken for one that moved and was touched up.
const positionWeight = 0.04

func (p position) weight() float64 {
	w := 0.0
	for _, agrees := range []bool{p.file, p.heading, p.above, p.below, p.blockID, p.blockID} {
		if agrees {
			w += positionWeight
		}
	}
	return w
}

// decides says that the place decides for a pair of which the words do not: in the
// same file two of heading, neighbour above and neighbour below; in another
// file the heading and a neighbour that moved along, or the same ^id.
func (p position) decides() bool {
	if p.blockID {
		return true
	}
	if !p.file {
		return p.heading && (p.above || p.below)
	}
	return p.above && p.below || p.heading && (p.above || p.below)
}
