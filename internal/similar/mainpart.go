package similar

import "slices"

// changesMainPart reports whether a claim changes the figure in the main part of an older
// one. The older one may add how or when: "costs 40 euros, billed every quarter". The newer
// one need not repeat that. One that names what was added is about that part.
func (c *claim) changesMainPart(older *claim) bool {
	if c.change&becomes == 0 || !older.hasParts {
		return false
	}
	main, added := older.divide()
	if len(main.words) < 2 || slices.ContainsFunc(added, func(w claimWord) bool { return c.has(w.stem) && !main.has(w.stem) }) {
		return false
	}
	both := compareClaims(c, main)
	figures := kinds(both.oldOnly) & kinds(both.newOnly) & (number | day)
	return both.oneSubject && figures != 0 && c.change&(adds|doubts) == 0 && !both.hasFormerValue() && both.changesValue()
}

// divide returns the part of a claim before its first comma, and the words after it.
func (c *claim) divide() (main *claim, added []claimWord) {
	part := *c
	part.words, part.signature, part.hasParts, part.hasRetired = nil, 0, false, false
	for _, w := range c.words {
		if w.clause > 0 {
			added = append(added, w)
			continue
		}
		part.words = append(part.words, w)
		part.signature |= bit(w.stem)
		part.hasRetired = part.hasRetired || w.retired
	}
	return &part, added
}
