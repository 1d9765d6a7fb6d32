package similar

import (
	"strings"
	"unicode/utf8"
)

// wordClass is what a listed word does to the meaning of a text.
type wordClass uint8

const (
	stopWord     wordClass = iota + 1 // the text means the same without it
	contrastWord                      // the text means something else without it
	negation                          // a contrast word that denies the text
)

// classes holds the class of every listed word. No word is in both lists.
var classes = func() map[string]wordClass {
	classes := map[string]wordClass{}
	for word := range strings.FieldsSeq(contrastWords) {
		classes[word] = contrastWord
	}
	for word := range strings.FieldsSeq(negationWords) {
		classes[word] = negation
	}
	for word := range strings.FieldsSeq(stopWords) {
		classes[word] = stopWord
	}
	return classes
}()

// classOf returns the class of a word, or 0. Most words are not listed, and their
// shape alone shows it.
func classOf(word string) wordClass {
	if !listedShapes.mayHave(word) {
		return 0
	}
	return classes[word]
}

// listedShapes has the shapes of the words in classes.
var listedShapes = func() (s shapes) {
	for word := range classes {
		s.add(word)
	}
	return s
}()

// shapes marks the shapes of listed words, which is a quick test that most other words
// do not pass. A shape is the length of a word with its first and last byte.
type shapes [16 << 10]bool

func (s *shapes) add(word string) { s[shapeOf(word)] = true }

func (s *shapes) mayHave(word string) bool { return s[shapeOf(word)] }

func shapeOf(word string) int {
	n := len(word)
	return min(n, 15)<<10 | int(word[0]&31)<<5 | int(word[n-1]&31)
}

// hasContrastPrefix reports whether a word may be the opposite of another one:
// unsafe, inactive, disable, enable, decrypt, encrypt.
func hasContrastPrefix(lower string) bool {
	switch lower[0] {
	case 'u', 'i', 'n', 'd', 'e':
	default: // most words
		return false
	}
	for _, prefix := range []string{"un", "in", "im", "dis", "non", "de", "en", "up", "down"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

// lightStem removes the most frequent English endings.
func lightStem(w string) string {
	const shortest = 4 // characters: a shorter stem may be another word's
	switch w[len(w)-1] {
	case 's', 'g', 'd', 'e':
	default:
		return w
	}
	for _, ending := range []string{"'s", "ing", "ed", "es", "s"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && utf8.RuneCountInString(stem) >= shortest {
			return strings.TrimSuffix(stem, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

const stopWords = `a an the this that these those is are was were be been am has have had do does did of and also too very just
really so please i my me user
der die das ein eine einen ist sind war und auch el la los las un una es y le les des une est et`

const contrastWords = `
unless only before after until since on off in out up down left right more less most least over under first second third last next
previous old new always sometimes often rarely yes true false allow allowed deny denied start stop begin end open close add remove
enable disable accept reject dislike dislikes hate hates from to with by if instead longer anymore must may can should could would
will he she it they we you his her him them us its their our your
zero one two three four five six seven eight nine ten eleven twelve hundred thousand million once twice half double
january february march april may june july august september october november december monday tuesday wednesday thursday friday
saturday sunday today yesterday tomorrow week weekly month monthly year yearly day daily hour hourly morning afternoon evening night
nur vor nach montag dienstag mittwoch donnerstag freitag samstag sonntag
eins zwei drei vier fünf solo antes después lunes martes miércoles jueves viernes sábado domingo
dos tres cuatro cinco avant après lundi mardi mercredi jeudi vendredi samedi dimanche deux trois quatre cinq`

// negationWords deny what they stand beside.
const negationWords = `no not never none nobody nothing neither nor without cannot cant dont doesnt didnt wont isnt arent wasnt except
nicht kein keine keinen nie niemals ohne nunca sin ne pas jamais sans`
