package identity

// anchors say, for every memory and block, which pairs of its file that are
// matched already stand nearest above and below it. They are named by the block
// of the pair; none is the file's end.
type anchors struct {
	aboveKnown, belowKnown []int
	aboveFresh, belowFresh []int
}

func (m *matcher) anchor() *anchors {
	a := &anchors{filled(len(m.known)), filled(len(m.known)), filled(len(m.fresh)), filled(len(m.fresh))}
	// stays says that a pair did not leave its file, and gives its block.
	stays := func(k, f int) bool {
		return k != none && f != none && m.present(k) && m.known[k].Path == m.fresh[f].Path
	}
	for k := range m.known {
		if up := m.before[k]; up != none {
			if a.aboveKnown[k] = a.aboveKnown[up]; stays(up, m.by[up]) {
				a.aboveKnown[k] = m.by[up]
			}
		}
	}
	for k := len(m.known) - 1; k >= 0; k-- {
		if down := m.after[k]; down != none {
			if a.belowKnown[k] = a.belowKnown[down]; stays(down, m.by[down]) {
				a.belowKnown[k] = m.by[down]
			}
		}
	}
	for f := range m.fresh {
		if up := m.previous(f); up != none {
			if a.aboveFresh[f] = a.aboveFresh[up]; stays(m.of[up], up) {
				a.aboveFresh[f] = up
			}
		}
	}
	for f := len(m.fresh) - 1; f >= 0; f-- {
		if down := m.next(f); down != none {
			if a.belowFresh[f] = a.belowFresh[down]; stays(m.of[down], down) {
				a.belowFresh[f] = down
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

func (m *matcher) gapOfFresh(a *anchors, f int) gap {
	return gap{m.fresh[f].Path, a.aboveFresh[f], a.belowFresh[f]}
}

// evidence is what the place of a pair says for it.
type evidence struct {
	file, heading, above, below bool
	blockID                     bool // the same ^id, in another file
}

// near is how far up and down a neighbour is looked for that moved to another
// file together with the memory: people move a handful of lines, or all.
const near = 8

func (m *matcher) evidence(a *anchors, k, f int) evidence {
	known, fresh := m.known[k], m.fresh[f]
	e := evidence{file: known.Path == fresh.Path, heading: m.sameHeading(k, f),
		blockID: known.BlockID != "" && known.BlockID == fresh.Block.BlockID}
	if e.file {
		e.above = a.aboveKnown[k] == a.aboveFresh[f]
		e.below = a.belowKnown[k] == a.belowFresh[f]
		return e
	}
	e.above = m.movedBeside(k, f, func(k int) int { return m.before[k] }, m.previous)
	e.below = m.movedBeside(k, f, func(k int) int { return m.after[k] }, m.next)
	return e
}

// movedBeside says that the nearest pair on one side that went from the
// memory's file to the block's is the same for both.
func (m *matcher) movedBeside(k, f int, stepKnown, stepFresh func(int) int) bool {
	from, to := m.known[k].Path, m.fresh[f].Path
	for range near {
		if k = stepKnown(k); k == none {
			return false
		}
		if at := m.by[k]; at != none && m.fresh[at].Path == to {
			for range near {
				if f = stepFresh(f); f == none {
					return false
				}
				if was := m.of[f]; was != none && m.present(was) && m.known[was].Path == from {
					return f == at
				}
			}
			return false
		}
	}
	return false
}

// sign is what one sign of the same place weighs against likeness. All four
// together weigh as much as one word in six: enough to tell apart lines of one
// make, not so much that a line of the same make which was written in its place
// is taken for one that moved and was touched up.
const sign = 0.04

func (e evidence) weight() float64 {
	w := 0.0
	for _, there := range []bool{e.file, e.heading, e.above, e.below, e.blockID, e.blockID} {
		if there {
			w += sign
		}
	}
	return w
}

// tips says that the place decides for a pair of which the words do not: in the
// same file two of heading, neighbour above and neighbour below; in another
// file the heading and a neighbour that moved along, or the same ^id.
func (e evidence) tips() bool {
	if e.blockID {
		return true
	}
	if !e.file {
		return e.heading && (e.above || e.below)
	}
	return e.above && e.below || e.heading && (e.above || e.below)
}
