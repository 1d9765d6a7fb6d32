package similar

import (
	"slices"
	"strings"
)

// Supersedes reports whether a new statement takes the place of an old one. It replaces it
// (see [Statement.Replaces]). Or it says in words of change that the old value is another one
// now, or no longer holds. It is narrower than [Statement.Updates]: the new statement names
// nothing that could make it one about another thing.
func (s *Statement) Supersedes(older *Statement) bool {
	switch {
	case !s.isInOrderOf(older):
		return false
	case !s.hasSamePurpose(older) || !s.hasSameActivity(older):
		return false
	case s.Replaces(older):
		return true
	case s.cjk || older.cjk:
		return s.cjk && older.cjk && changesCJK(s.text, older.text) && s.holdsWhen(older)
	}
	c := compareClaims(s.readClaim(), older.readClaim())
	if c.newer.change&(becomes|ends) == 0 || c.newer.change&(adds|doubts) != 0 || s.isAboutNewThing() || !s.holdsWhen(older) || s.bothHappened(older) {
		return false
	}
	return c.movesHome(s, older) || s.mayUpdate(older) && c.addsOnlyValues()
}

// isInOrderOf reports whether two statements have the words that both have in one order.
// One of them may repeat some. Another order may be another statement: "the train from
// Bath to Bristol", and back.
func (s *Statement) isInOrderOf(other *Statement) bool {
	mine, theirs := New(s.text), New(other.text)
	inBoth := func(word uint64) bool { return mine.has(word) && theirs.has(word) }
	a, b := filter(mine.words, inBoth), filter(theirs.words, inBoth)
	return containsInOrder(a, b) || containsInOrder(b, a)
}

// containsInOrder reports whether a list contains all words of another one in their order.
func containsInOrder(list, words []uint64) bool {
	for _, word := range words {
		i := slices.Index(list, word)
		if i < 0 {
			return false
		}
		list = list[i+1:]
	}
	return true
}

// Supersedes is [Statement.Supersedes] for two texts.
func Supersedes(newer, older string) bool {
	statement, old := NewStatement(newer), NewStatement(older)
	return statement.Supersedes(&old)
}

// addsOnlyValues reports whether the newer claim adds nothing but values of the kinds that
// the older one gives. A garage is none, where the older one tells the rent.
func (c *comparison) addsOnlyValues() bool {
	old := kinds(c.oldOnly)
	if former, all := c.formerValue(); former != nil {
		old |= all
	}
	if c.newer.change&moves != 0 && old&(number|day) != 0 {
		old |= number | day // from Monday to Tuesday at 11
	}
	return !slices.ContainsFunc(c.newOnly, func(w claimWord) bool {
		isSentenceStart := w.capital && old&name != 0
		isDate := c.older.lives && w.kind&(number|day) != 0 // "moved to Bergen in August"
		return w.kind&old == 0 && !isSentenceStart && !isDate && !auxiliaries[w.stem] || w.possessor
	})
}

// movesHome reports whether both statements tell where the speaker lives, and have no other
// words: "I live in Graz", and "I moved to Linz".
func (c *comparison) movesHome(s, older *Statement) bool {
	isPlaces := func(words []claimWord) bool {
		return len(words) > 0 && !slices.ContainsFunc(words, func(w claimWord) bool { return w.kind&(name|day|number) == 0 }) && words[0].kind&name != 0
	}
	return c.older.lives && c.newer.change&moves != 0 && isPlaces(c.older.words) && isPlaces(c.newer.words) &&
		s.isFirstPerson() && older.isFirstPerson()
}

func (s *Statement) isFirstPerson() bool {
	return len(s.words) > 0 && firstPersons[s.words[0]]
}

// hasSamePurpose reports whether two statements do not tell two things for different purposes:
// "Slack for chat", and "Zoom for calls". In "works for Siemens", the purpose is the value.
func (s *Statement) hasSamePurpose(other *Statement) bool {
	thing, purpose := s.purpose()
	otherThing, otherPurpose := other.purpose()
	return purpose == "" || otherPurpose == "" || claimWordStem(thing) == claimWordStem(otherThing) || claimWordStem(purpose) == claimWordStem(otherPurpose)
}

// purpose returns the words around "for": of a thing, and of what it is for.
func (s *Statement) purpose() (thing, purpose string) {
	at := slices.IndexFunc(s.words, func(w string) bool { return purposeWords[w] })
	if at <= 0 {
		return "", ""
	}
	if kindOf(s.words[at-1], s.words[at-1], true)&(number|day) != 0 {
		return "", "" // "vom Montag zum Dienstag"
	}
	for _, w := range s.words[at+1:] {
		if !articles[w] {
			return s.words[at-1], w
		}
	}
	return "", ""
}

// hasSameActivity reports whether two statements do not tell two things that somebody is
// doing: reading a book, and watching a series. Living somewhere is no activity.
func (s *Statement) hasSameActivity(other *Statement) bool {
	activity, otherActivity := s.activity(), other.activity()
	return activity == "" || otherActivity == "" || activity == otherActivity
}

// activity returns the word behind "is", such as "reading", or "".
func (s *Statement) activity() string {
	_, words := claimFields(s.text)
	isBehind := false // behind "is"
	for at := 0; at < min(len(words), maxActivityAt); at++ {
		effect, n := matchPhrase(words[at:])
		switch w := words[at]; {
		case n > 0 && effect&^becomes == 0: // "now"
			at += n - 1
		case isBehind && n == 0 && len(w) >= minActivity && strings.HasSuffix(w, "ing") && roleOf(w) != homeWord:
			return w
		default:
			isBehind = beForms[w]
		}
	}
	return ""
}

// Bounds of a word that tells an activity.
const (
	maxActivityAt = 8 // words with it: "my older sister is now learning"
	minActivity   = 5 // characters
)

// isAboutNewThing reports whether the subject of a statement is called new: "our new cat" may
// live beside the old one.
func (s *Statement) isAboutNewThing() bool {
	return slices.ContainsFunc(s.words[:min(len(s.words), maxNewAt)], func(w string) bool { return newWords[w] })
}

// maxNewAt is the number of words among which the subject stands.
const maxNewAt = 4

var (
	purposeWords = set("for für zum zur pour para")
	articles     = set("a an the our my your their all das die der den dem unsere unseren unser meine meinen mein alle le la les un une notre nos mon ma mes el los las una nuestro nuestra mi mis")
	beForms      = set("am is are was were i'm we're he's she's they're")
	newWords     = set("new neu neue neuer neues neuen neuem nouveau nouvelle nouvel nuevo nueva second zweite deuxième segundo segunda other andere andere autre otro otra")
	auxiliaries  = map[uint64]bool{claimWordStem("été"): true, claimWordStem("sido"): true, claimWordStem("ha"): true, claimWordStem("han"): true} // "a été déplacée"
	firstPersons = set("i we ich wir je j'ai nous vivo vivimos me nos")
)
