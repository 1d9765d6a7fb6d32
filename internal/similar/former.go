package similar

import "slices"

// formerValue returns the first value of the older claim that the newer one reports as
// former, and the kinds of all such values. It returns nil if there is none: "from Postgres
// 14 to 16", "replaced TSLint with Biome".
func (c *comparison) formerValue() (former *claimWord, all kind) {
	for i := range c.newer.words {
		if w := &c.newer.words[i]; w.retired {
			isValue := func(old claimWord) bool { return old.stem == w.stem && old.kind|w.kind != 0 }
			if k := slices.IndexFunc(c.older.words, isValue); k >= 0 {
				if fromWords[w.before] && c.older.words[k].before == w.before {
					continue // the flight from Oslo
				}
				all |= c.older.words[k].kind | w.kind
				if former == nil {
					former = &c.older.words[k]
				}
			}
		}
	}
	return former, all
}

func (c *comparison) hasFormerValue() bool {
	former, _ := c.formerValue()
	return former != nil
}

// namesFormerValue reports whether the newer claim names the value of the older one as
// former, and is about the same subject.
func (c *comparison) namesFormerValue() bool {
	if c.newer.change&(becomes|denies) != becomes || c.newer.event || c.older.event {
		return false
	}
	old, all := c.formerValue()
	first := &c.older.words[0]
	isQualifier := func(w claimWord) bool { // "the printer of Lena"
		return w.kind&name != 0 && !w.afterLink && (w.stem != first.stem || !determiners[w.before])
	}
	if old == nil || !c.givesValue(all) || c.hasList(old.kind) || c.namesOtherThing(old.kind) ||
		slices.ContainsFunc(c.oldOnly, isQualifier) {
		return false
	}
	if c.newer.change&substitutes != 0 && old.kind&day == 0 && kinds(c.newOnly)&day != 0 {
		return false // an exception: "at 10:00 instead of 09:30 on Thursday"
	}
	switch hasFirst := c.newer.has(first.stem); {
	case c.shared > minUpdateShared:
		return hasFirst || c.newer.words[0].stem == old.stem
	case c.shared == minUpdateShared && hasFirst && first != old:
		return true
	}
	return c.isElliptic(old)
}

// givesValue reports whether the newer claim has a new value of some kinds. A name may
// begin it: "Postfix instead of Exim".
func (c *comparison) givesValue(all kind) bool {
	return slices.ContainsFunc(c.newOnly, func(w claimWord) bool { return w.kind&all != 0 || w.capital && all&name != 0 })
}

// isElliptic reports whether the newer claim has nothing but values and words of the older
// one. The older one tells whose values they are: "The password manager is LastPass",
// "Switched to Bitwarden from LastPass".
func (c *comparison) isElliptic(old *claimWord) bool {
	if !c.older.definite && !c.older.labelled || old.kind&(name|day) == 0 || countPlain(c.newOnly) > 0 {
		return false
	}
	if first := c.newer.words[0]; determiners[first.before] && !first.direct && !c.older.has(first.stem) {
		return false // "Der Hund frisst Rinti statt Sheba" tells nothing about the cat
	}
	return c.shared >= minUpdateShared || old.direct && c.newer.change&moves == 0
}

// takesOver reports whether one part of the newer claim mentions the value of the older
// one, and another part gives the subject a new value. An example is "Mr Kraus sold the
// house, our landlord is Ms Berg".
func (c *comparison) takesOver() bool {
	first := c.older.words[0].stem
	if !c.newer.hasParts || c.older.event || len(c.newOnly) == 0 || c.newer.change&denies != 0 || !c.newer.has(first) || 2*countPlain(c.oldOnly) > c.shared {
		return false
	}
	for _, w := range c.newOnly {
		if w.kind&(number|name) == 0 || !c.isAbout(w.clause, first) {
			continue
		}
		for _, old := range c.older.words[1:] {
			if old.kind&w.kind != 0 && c.sameSlot(&old, &w) && c.isMentionedApart(&old, w.clause) && !c.hasList(old.kind) {
				return true
			}
		}
	}
	return false
}

// isAbout reports whether a part of the newer claim has the subject, and besides it only
// values and words of the older claim.
func (c *comparison) isAbout(clause uint8, subject uint64) bool {
	found := false
	for _, w := range c.newer.words {
		if w.clause == clause {
			if w.kind == 0 && !c.older.has(w.stem) {
				return false
			}
			found = found || w.stem == subject
		}
	}
	return found
}

// sameSlot reports whether a value of the newer claim is in the place of one of the older
// claim. Both come after a word such as "is", or both after "with".
func (c *comparison) sameSlot(old, w *claimWord) bool {
	return old.direct && w.direct || old.before == w.before && roles[w.before] == fillerWord && !determiners[w.before]
}

// isMentionedApart reports whether the newer claim has a value of the older one in
// another part alone, which does not repeat the subject.
func (c *comparison) isMentionedApart(old *claimWord, clause uint8) bool {
	found := false
	for _, w := range c.newer.words {
		switch {
		case w.clause == clause && w.stem == old.stem:
			return false
		case w.stem == old.stem:
			found = !slices.ContainsFunc(c.newer.words, func(same claimWord) bool {
				return same.clause == w.clause && same.stem == c.older.words[0].stem
			})
		}
	}
	return found
}

// hasList reports whether the older claim lists several values of a kind: "Jenkins,
// Ansible and Helm".
func (c *comparison) hasList(kind kind) bool {
	return slices.ContainsFunc(c.older.words, func(w claimWord) bool { return w.listed && w.kind&kind != 0 })
}

// replacesTheOnly reports whether both claims name who or what one thing is, and differ
// in nothing but values. An example is "The vet is Dr Mallow, phone 0451 2020". A definite subject has
// one name at a time.
func (c *comparison) replacesTheOnly() bool {
	if !c.oneSubject || !c.older.definite || !c.newer.definite || c.newer.change&denies != 0 || c.hasList(name) {
		return false
	}
	isValue := func(w claimWord) bool { return w.kind&(number|name) != 0 && w.afterLink }
	isName := func(w claimWord) bool { return w.kind&name != 0 && w.direct }
	all := func(words []claimWord) bool {
		return slices.ContainsFunc(words, isName) && !slices.ContainsFunc(words, func(w claimWord) bool { return !isValue(w) })
	}
	return all(c.oldOnly) && all(c.newOnly) && hasIndefinite(c.oldOnly) == hasIndefinite(c.newOnly)
}

// hasIndefinite reports whether one of the words is what something is, and not its name: "a
// Labrador".
func hasIndefinite(words []claimWord) bool {
	return slices.ContainsFunc(words, func(w claimWord) bool { return indefinites[w.before] })
}
