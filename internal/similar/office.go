package similar

// takesOffice reports whether one person has an office after another one: "Tom is CEO of
// Acme", then "Eva is CEO of Acme". Both claims end with the office and whose it is.
func (c *claim) takesOffice(older *claim) bool {
	tail, found := sharedOffice(c.words, older.words)
	return found && areNames(c.words[:len(c.words)-tail]) && areNames(older.words[:len(older.words)-tail]) &&
		c.change&(adds|doubts|denies|ends) == 0 && older.change&(doubts|denies|ends) == 0 && !c.event && !older.event
}

// sharedOffice returns how many words two claims have from an office to their end. The
// words after the office are the same, and at least one.
func sharedOffice(mine, theirs []claimWord) (tail int, found bool) {
	for tail < min(len(mine), len(theirs)) {
		a, b := mine[len(mine)-1-tail].stem, theirs[len(theirs)-1-tail].stem
		switch {
		case offices[a] && offices[b]:
			return tail + 1, tail > 0
		case a != b:
			return 0, false
		}
		tail++
	}
	return 0, false
}

// areNames reports whether words are the name of somebody.
func areNames(words []claimWord) bool {
	for _, w := range words {
		if w.kind != name && !w.capital || w.listed {
			return false
		}
	}
	return len(words) > 0
}

// offices holds the stems of offices that one person has at a time.
var offices = func() map[uint64]bool {
	stems := map[uint64]bool{}
	for word := range set(`ceo cto cfo coo president chairman chairwoman chairperson treasurer mayor chancellor headmaster headmistress
geschäftsführer geschäftsführerin vorsitzender vorsitzende präsident präsidentin bürgermeister bürgermeisterin kanzler kanzlerin schulleiter schulleiterin
pdg président présidente maire trésorier trésorière presidente presidenta alcalde alcaldesa tesorero tesorera`) {
		stems[claimWordStem(word)] = true
	}
	return stems
}()
