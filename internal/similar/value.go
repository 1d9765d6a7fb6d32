package similar

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a statement that replaces another one.
const (
	minSamePrefix = 2 // words that both begin with
	maxValue      = 4 // words of a value
	maxLastValue  = 3 // words of a value at the end, where nothing after it is compared
	minCJKPrefix  = 3 // characters, as minSamePrefix
	maxCJKValue   = 8
)

// Statement is a text, ready to be compared with others that may replace it.
type Statement struct {
	text  string
	cjk   bool
	words []string // as valueWords returns them; none in CJK
	kinds []kind   // of the words
	claim *claim   // read when it is first needed
}

// NewStatement reads a text.
func NewStatement(text string) Statement {
	s := Statement{text: text, cjk: strings.ContainsFunc(text, isCJK)}
	if !s.cjk {
		s.words, s.kinds = valueWords(text)
	}
	return s
}

// Replaces is [Statement.Replaces] for two texts.
func Replaces(newer, older string) bool {
	statement, old := NewStatement(newer), NewStatement(older)
	return statement.Replaces(&old)
}

// Replaces reports whether a new statement gives another value to the subject of an
// old one: "the port is 8081" replaces "the port is 8080". Both have the same words
// but for one value, which follows a word like "is", "use" or "on". Or one of them
// is the negation of the other. In doubt it returns false: both statements then
// stay.
func (s *Statement) Replaces(older *Statement) bool {
	return s.mayReplace(older) && s.holdsWhen(older)
}

func (s *Statement) mayReplace(older *Statement) bool {
	if s.cjk || older.cjk {
		return replacesCJK([]rune(strings.TrimRight(s.text, "。.！! ")), []rune(strings.TrimRight(older.text, "。.！! ")))
	}
	a, b := s.words, older.words
	prefix, suffix := commonEnds(a, b)
	x, y := a[prefix:len(a)-suffix], b[prefix:len(b)-suffix]
	switch {
	case prefix+suffix < minSamePrefix || 2*(prefix+suffix) < max(len(a), len(b)):
		return false
	case len(x) == 0 || len(y) == 0 || prefix < minSamePrefix || len(x) > maxValue || len(y) > maxValue:
		return false
	case suffix == 0 && (len(x) > maxLastValue || len(y) > maxLastValue):
		return false
	}
	introduced := slices.ContainsFunc(a[max(0, prefix-2):prefix], func(w string) bool { return introducesValue[w] })
	return introduced && s.hasOneValue(older, prefix, suffix)
}

// valueWords returns the words of a statement in small letters with their kinds, without
// the words that only say that something has changed.
func valueWords(text string) (words []string, kinds []kind) {
	n := countWords(text)
	words, kinds = make([]string, 0, n), make([]kind, 0, n)
	for field := range strings.FieldsSeq(text) {
		word := strings.ToLower(trimPunctuation(field))
		if word != "" && !saysChanged[word] {
			words, kinds = append(words, word), append(kinds, kindOf(field, word, len(words) == 0))
		}
	}
	return words, kinds
}

// commonEnds counts the equal elements at the beginning and at the end.
func commonEnds[T comparable](a, b []T) (prefix, suffix int) {
	for prefix < min(len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	for suffix < min(len(a), len(b))-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	return prefix, suffix
}

// replacesCJK is Replaces for texts without spaces.
func replacesCJK(a, b []rune) bool {
	prefix, suffix := commonEnds(a, b)
	x, y := len(a)-prefix-suffix, len(b)-prefix-suffix
	if prefix < minCJKPrefix || x == 0 || y == 0 || x > maxCJKValue || y > maxCJKValue || 2*(prefix+suffix) < max(len(a), len(b)) {
		return false
	}
	before := strings.TrimRightFunc(string(a[:prefix]), func(r rune) bool { return !isCJK(r) }) // the value may begin equally
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune("はがを是为用在", last)
}

func set(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

// saysChanged lists words that say that something is new, and not what.
var saysChanged = set(`now actually instead anymore currently already finally jetzt nun mittlerweile inzwischen maintenant désormais ahora ya`)

// introducesValue lists words that a value follows. Words of liking are not among
// them, because a person may like several things.
var introducesValue = set(`is are was were be equals use uses using prefer prefers chose choose picked called named to on at listens
runs lives costs due port version with until from by favourite favorite
ist sind heißt nutzen nutze verwenden verwende bevorzuge bevorzugen auf am bis nehmen bei
est sont utilise utilisons préfère préférons s'appelle sur le jusqu'au
es son usa usamos uso prefiero preferimos llama en el hasta`)
