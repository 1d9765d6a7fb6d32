package identity

// anchors hold the nearest matched pair above and below every memory and block
// in its file. The block of the pair identifies it; none means the end of the
// file.
type anchors struct {
	aboveKnown, belowKnown []int
	aboveBlock, belowBlock []int
}

func (m *matcher) findAnchors() *anchors {
	a := &anchors{allNone(len(m.known)), allNone(len(m.known)), allNone(len(m.blocks)), allNone(len(m.blocks))}
	// stayed reports whether a pair exists and stayed in its file.
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

// gap is the part of a file between two anchors.
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

// position lists where the positions of a pair agree.
type position struct {
	file, heading, above, below bool
	blockID                     bool // the same ^id, in another file
}

// maxNeighbourSteps limits the search for a neighbour that moved to another
// file together with the memory. People move a handful of lines or all of them.
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

// neighbourMovedToo reports whether the memory and the block have the same
// nearest neighbour on one side, counting only neighbours that moved between
// the same files.
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

// positionWeight is added to the Dice coefficient for each point where the
// positions agree. All four together weigh as much as one word in six. That
// separates lines of one pattern. But a new line of that pattern in the old
// place does not win over the line that moved and was edited.
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

// decides reports whether the position is enough for a pair whose words are
// not. In the same file two of heading, neighbour above and neighbour below
// must agree. In another file the heading and a neighbour that moved too must
// agree, or the ^id.
func (p position) decides() bool {
	if p.blockID {
		return true
	}
	if !p.file {
		return p.heading && (p.above || p.below)
	}
	return p.above && p.below || p.heading && (p.above || p.below)
}
