package similar

import "slices"

// Limits of a statement that updates another one.
const (
	minUpdateShared   = 2 // words of the subject in both
	minUpdateUntyped  = 3 // the same, if the values are ordinary words
	maxUpdateUntyped  = 2 // ordinary words of such a value
	maxDenialAddition = 1 // words that a plain negation may add
)

// Updates reports whether a new statement gives another value to the subject of an
// old one, or ends it. It is wider than [Statement.Replaces], and understands words
// of change: "moved to 09:30", "no longer vegetarian", "upgraded from 14 to 16". So
// it errs more often. Use it to order and mark statements, never to remove one.
func (s *Statement) Updates(older *Statement) bool {
	return s.mayUpdate(older) && s.holdsWhen(older) && !s.bothHappened(older)
}

func (s *Statement) mayUpdate(older *Statement) bool {
	if s.mayReplace(older) {
		return true
	}
	if s.cjk || older.cjk {
		return false
	}
	newer, former := s.readClaim(), older.readClaim()
	return compareClaims(newer, former).updates() || newer.changesMainPart(former)
}

// updates reports whether the newer claim gives another value, or ends the older one.
func (c comparison) updates() bool {
	switch {
	case c.newer.takesOffice(c.older):
		return true
	case c.newer.change&(adds|doubts) != 0 || c.shared == 0:
		return false
	case c.namesFormerValue() || c.takesOver() || c.replacesTheOnly():
		return true
	case !c.oneSubject || c.hasFormerValue():
		return false
	}
	return c.ends() || c.changesValue() || c.takesPlace() || c.changesWord() || c.hasOneOtherNumber()
}

// SameSubject reports whether two statements seem to give different values of one
// kind to one subject, without a word that tells which of them holds.
func (s *Statement) SameSubject(other *Statement) bool {
	if s.cjk || other.cjk {
		return false
	}
	c := compareClaims(s.readClaim(), other.readClaim())
	return c.oneSubject && c.newer.change&(adds|doubts) == 0 && c.givesOtherValue() && s.holdsWhen(other)
}

// SeemsToChange reports whether a statement reports a change of a few ordinary words of an
// older one: coffee "black", and "with milk these days". Too little is known for a mark.
func (s *Statement) SeemsToChange(older *Statement) bool {
	if s.cjk || older.cjk {
		return false
	}
	c := compareClaims(s.readClaim(), older.readClaim())
	return c.oneSubject && c.newer.change&(adds|doubts) == 0 && c.changesManner() && s.holdsWhen(older)
}

func (s *Statement) readClaim() *claim {
	if s.claim == nil {
		s.claim = readClaim(s.text)
	}
	return s.claim
}

// comparison is two claims and the words in which they differ.
type comparison struct {
	newer, older     *claim
	newOnly, oldOnly []claimWord
	shared           int  // words of the older claim that the newer one has
	oneSubject       bool // each one's first word is in the other
}

func compareClaims(newer, older *claim) comparison {
	c := comparison{newer: newer, older: older}
	if len(newer.words) == 0 || len(older.words) == 0 || newer.signature&older.signature == 0 {
		return c
	}
	c.oneSubject = newer.has(older.words[0].stem) && older.has(newer.words[0].stem)
	if !newer.hasRetired && (!newer.has(older.words[0].stem) || !c.oneSubject && !newer.hasParts) {
		return c // the rest is not needed
	}
	c.newOnly, c.oldOnly = newer.without(older), older.without(newer)
	c.shared = len(older.words) - len(c.oldOnly)
	return c
}

// ends reports whether exactly one of the claims is denied, and both are about the
// same day, number and thing.
func (c *comparison) ends() bool {
	const denial = ends | denies
	if (c.newer.change&denial != 0) == (c.older.change&denial != 0) || c.shared < minUpdateShared {
		return false
	}
	if kinds(c.oldOnly)&kinds(c.newOnly)&(number|day) != 0 || 3*countPlain(c.oldOnly) > c.shared {
		return false
	}
	return c.newer.change&ends != 0 || len(c.newOnly) <= maxDenialAddition && len(c.oldOnly) == 0
}

// changesValue reports whether the newer claim reports a change, and both have a
// value of one kind.
func (c *comparison) changesValue() bool {
	return c.newer.change&becomes != 0 && c.givesOtherValue()
}

// takesPlace reports whether the newer claim has a new value in the place of the old
// one. It mentions the old one elsewhere: "port 8081 now, 8080 was taken".
func (c *comparison) takesPlace() bool {
	if c.newer.change&becomes == 0 || c.shared <= minUpdateShared || len(c.oldOnly) > 0 {
		return false
	}
	return slices.ContainsFunc(c.newOnly, func(w claimWord) bool {
		replacesIt := func(old claimWord) bool { return old.kind&w.kind != 0 && old.before == w.before }
		stays := func(same claimWord) bool {
			return same.kind&w.kind != 0 && same.before == w.before && same.stem != w.stem
		}
		return slices.ContainsFunc(c.older.words, replacesIt) && !slices.ContainsFunc(c.newer.words, stays)
	})
}

// givesOtherValue reports whether the claims differ in a value of one kind, and in
// little else.
func (c *comparison) givesOtherValue() bool {
	values := kinds(c.oldOnly) & kinds(c.newOnly)
	shared := c.shared
	if c.older.lives && c.newer.change&moves != 0 {
		shared++ // "lives in" and "moved to" are the same relation
	}
	isValue := func(w claimWord) bool {
		return w.kind != 0 && (w.afterLink || c.newer.change&moves != 0 && w.kind&(number|day) != 0)
	}
	first := c.older.words[0]
	whole := (first.kind&name == 0 || determiners[first.before]) && !slices.ContainsFunc(c.oldOnly, func(w claimWord) bool { return !isValue(w) }) // "the rent is 900"
	switch {
	case values == 0, shared < minUpdateShared && !whole, 2*countPlain(c.oldOnly) > shared:
		return false
	case values&number != 0 && values&day != 0 && c.newer.change&moves == 0:
		return false // the shop opens at 9 on Monday, and at 10 on Saturday
	}
	return !c.namesOtherThing(values) && !c.measuresOtherThing()
}

// namesOtherThing reports whether the claims have different words in one place: the
// lamp "in the kitchen" and "in the hall".
func (c *comparison) namesOtherThing(values kind) bool {
	mayTell := func(w claimWord) bool { return w.kind == 0 || w.kind == name && values&(number|day) != 0 }
	if hasOtherNumber(c.newer, c.older) {
		return true
	}
	belongs := func(w claimWord) bool { return w.possessor }
	if slices.ContainsFunc(c.oldOnly, belongs) || slices.ContainsFunc(c.newOnly, belongs) {
		return true // Tom's bike is not mine
	}
	for _, old := range c.oldOnly {
		for _, w := range c.newOnly {
			if w.direct && (old.direct || old.afterLink && c.newer.change&moves != 0) && old.kind&w.kind&name != 0 {
				continue // two values: "the roofer is Mr Slate, 0451 888"
			}
			if mayTell(old) && mayTell(w) && (old.before == w.before || old.kind == name && w.kind == name) {
				return true
			}
		}
	}
	return false
}

// hasOtherNumber reports whether the subjects of two claims have different numbers: "bus 4
// leaves at 8:00", and "bus 7 leaves at 8:20".
func hasOtherNumber(c, other *claim) bool {
	isNumbered := func(c *claim) bool {
		return len(c.words) > 2 && c.words[1].kind&number != 0 && c.words[1].isLabelled && !c.words[1].afterLink && kinds(c.words[2:])&number != 0
	}
	return isNumbered(c) && isNumbered(other) && c.words[0].stem == other.words[0].stem && c.words[1].stem != other.words[1].stem
}

// measuresOtherThing reports whether numbers of the claims have different units: "5
// seats" and "80,000 km".
func (c *comparison) measuresOtherThing() bool {
	old, found := unitOf(c.older, c.newer)
	unit, foundToo := unitOf(c.newer, c.older)
	return found && foundToo && old != unit || hasOtherLabel(c.newer, c.older) || hasOtherLabel(c.older, c.newer)
}

// hasOtherLabel reports whether a number of c has a word before it that the other claim
// lacks. An example is "track 7", where the other one tells a time.
func hasOtherLabel(c, other *claim) bool {
	for i, w := range c.words {
		if i > 0 && w.kind&number != 0 && w.isLabelled && !other.has(w.stem) && !other.has(c.words[i-1].stem) {
			return true
		}
	}
	return false
}

// unitOf returns the ordinary word after a number of c, if the other claim has
// neither.
func unitOf(c, other *claim) (unit uint64, found bool) {
	for i, w := range c.words[:len(c.words)-1] {
		next := c.words[i+1]
		if w.kind&number != 0 && !other.has(w.stem) && next.kind&(number|day) == 0 && !other.has(next.stem) {
			return next.stem, true
		}
	}
	return 0, false
}

// changesWord reports whether the newer claim reports a change of an ordinary word:
// coffee "with milk", and "black these days".
func (c *comparison) changesWord() bool {
	few := func(words []claimWord) bool { return len(words) > 0 && len(words) <= maxUpdateUntyped }
	return c.newer.change&becomes != 0 && c.shared >= minUpdateUntyped && few(c.oldOnly) && few(c.newOnly) &&
		kinds(c.oldOnly)|kinds(c.newOnly) == 0 && !c.namesOtherThing(0)
}

// changesManner is changesWord with fewer words in common, and another verb.
func (c *comparison) changesManner() bool {
	few := func(words []claimWord) bool { return len(words) > 0 && len(words) <= maxUpdateUntyped }
	return c.newer.change&becomes != 0 && c.shared >= minUpdateShared && few(c.oldOnly) && few(c.newOnly) &&
		kinds(c.oldOnly)|kinds(c.newOnly) == 0 && !c.newer.event && !c.older.event
}

// hasOneOtherNumber reports whether the claims are equal but for one number after a
// word such as "has".
func (c *comparison) hasOneOtherNumber() bool {
	if c.shared < minUpdateShared || len(c.oldOnly) != 1 || len(c.newOnly) != 1 {
		return false
	}
	old, w := c.oldOnly[0], c.newOnly[0]
	return old.kind&w.kind&number != 0 && old.afterLink && w.afterLink && old.before == w.before
}

func kinds(words []claimWord) (all kind) {
	for _, w := range words {
		all |= w.kind
	}
	return all
}

func countPlain(words []claimWord) (n int) {
	for _, w := range words {
		if w.kind == 0 {
			n++
		}
	}
	return n
}
