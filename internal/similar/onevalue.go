package similar

import (
	"slices"
	"strings"
)

// hasOneValue reports whether what two statements say of one subject cannot both hold, as
// far as their words tell. They differ between a prefix and a suffix. Somebody may be
// allergic to nuts and to cats, vegetarian and left-handed.
func (s *Statement) hasOneValue(older *Statement, prefix, suffix int) bool {
	x, y := s.words[prefix:len(s.words)-suffix], older.words[prefix:len(older.words)-suffix]
	own, former := joined(s.kinds[prefix:len(s.kinds)-suffix]), joined(older.kinds[prefix:len(older.kinds)-suffix])
	both, change := own&former, s.readClaim().change
	switch {
	case change&^older.readClaim().change&(adds|doubts) != 0 || own&(number|day) != former&(number|day):
		return false // also on Thursday; a wine from 2015, and from Spain
	case slices.ContainsFunc(x, isLink) && slices.ContainsFunc(y, isLink):
		return false // the port of Kiel is far, and that of Husum is near
	case isLink(x[0]) != isLink(y[0]) || indefinites[x[0]] != indefinites[y[0]]:
		return false // the dog is a Labrador, and is called Bello
	case both&number != 0 && slices.ContainsFunc(x, isRepeatedDay) && slices.ContainsFunc(y, isRepeatedDay):
		return false // the library closes at 18:00 on Mondays, and at 20:00 on Thursdays
	case both&(number|day) == 0 && s.isTo(prefix):
		return false // allergic to nuts, and to cats as of now
	case change&becomes != 0:
		return true
	case hasPlace(x) != hasPlace(y):
		return false // a number, and the one at work
	case both&(number|day) != 0:
		return true
	}
	isNamed := both&name != 0 && determiners[s.words[0]] // "our landlord is Mr Kraus"
	return isNamed || !s.describes(prefix) && s.words[prefix-1] != "to" || slices.ContainsFunc(s.words[:prefix], isPreference)
}

// isTo reports whether the value tells what the subject is to something: "is allergic to".
func (s *Statement) isTo(prefix int) bool {
	return toWords[s.words[prefix-1]] && slices.ContainsFunc(s.words[:prefix-1], func(w string) bool { return beingWords[w] })
}

// describes reports whether the value tells what the subject is: "is vegetarian", "is my
// neighbour".
func (s *Statement) describes(prefix int) bool {
	last := s.words[prefix-1]
	if determiners[last] && prefix > 1 {
		last = s.words[prefix-2]
	}
	return beingWords[last]
}

func joined(kinds []kind) (all kind) {
	for _, k := range kinds {
		all |= k
	}
	return all
}

// hasPlace reports whether a value ends with where or when it holds: "030 2222 at work".
func hasPlace(value []string) bool {
	return slices.ContainsFunc(value[1:], func(w string) bool { return placeWords[w] })
}

// isRepeatedDay reports whether a word is a weekday of every week: "Mondays".
func isRepeatedDay(word string) bool { return weekdays[word] && strings.HasSuffix(word, "s") }

func isLink(word string) bool { return roleOf(word) == linkWord }

// isPreference reports whether a word tells that one thing is liked best.
func isPreference(word string) bool {
	return preferences[word] || strings.HasPrefix(word, "lieblings")
}

var (
	toWords     = set("to gegen contre à a al")
	beingWords  = set("am is are was were be bin ist sind war waren suis est sont était étaient soy es son era eran")
	placeWords  = set("at in on during bei beim im am während au aux chez en pendant durante")
	preferences = set("favourite favorite preferred default current main préféré préférée favorito favorita bevorzugt bevorzugte standard")
)
