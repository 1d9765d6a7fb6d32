package secrets

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fewWords is the length of a question that only names a secret: "The password for the wifi?"
const fewWords = 5

// maxNaming bounds the message before a reply: what is asked for stands at its end.
const maxNaming = 600

// naming is what a text tells about a secret whose value may follow.
type naming uint8

const (
	unnamed naming = iota
	named          // it has a word for a secret: "My password changed."
	awaited        // the value is to follow: "What is your PIN?", "My password follows."
)

// Names reports whether the value of a secret may follow a text: it has a word for a
// secret, or asks how something opens.
func Names(text string) bool {
	level, _ := namingOf(text)
	return level != unnamed
}

// Awaits reports whether a text asks for a secret, or announces one: its value comes next.
func Awaits(text string) bool {
	level, _ := namingOf(text)
	return level == awaited
}

// namingOf returns what the end of a text names, and the sentence that does it.
func namingOf(text string) (level naming, by sentence) {
	f := fold(strings.ToValidUTF8(text[max(0, len(text)-maxNaming):], ""))
	for _, s := range sentences(f) {
		if l := s.naming(f.text); l > level {
			level, by = l, s
		}
	}
	return level, by
}

// naming returns what a sentence of a text names.
func (s sentence) naming(text string) naming {
	s.join()
	last := s[len(s)-1]
	isQuestion := strings.HasPrefix(strings.TrimLeft(text[last.to:], " "), "?")
	switch isNamed := s.has(nouns); {
	case !isNamed && (!isQuestion || !s.has(asks) || !s.has(opens) || s[0].is(asksOther)):
		return unnamed
	case s[0].is(asksOther):
		return named
	case s.has(asks) && (isQuestion || !s.pointsBack()), s.has(announces), last.is(links),
		isQuestion && len(s) <= fewWords && !s[0].is(links), s.isLabel():
		return awaited
	}
	return named
}

// isLabel reports whether the sentence only names a secret: "Router password!"
func (s sentence) isLabel() bool {
	return !slices.ContainsFunc(s, func(w word) bool { return !w.is(nouns | account | place | preposition | small) })
}

// pointsBack reports whether the sentence is about what was said before it: "It is …".
func (s sentence) pointsBack() bool { return s[0].is(points) && s[:min(len(s), 2)].has(links) }

// PointsBack reports whether a text names what was said before it as a secret: "That's the
// wifi password."
func PointsBack(text string) bool {
	all := sentences(fold(strings.ToValidUTF8(text[:min(len(text), maxNaming)], "")))
	if len(all) == 0 {
		return false
	}
	all[0].join()
	return all[0].pointsBack() && all[0].has(nouns)
}

// FindReply returns the kind of the secret that a text states as the reply to another one:
// "What is your PIN?" and "It is 2580." A reply that names the secret itself is found by
// [Find].
func FindReply(before, text string) (kind string, found bool) {
	level, asked := namingOf(before)
	return findReply(level, asked, text)
}

// FindNamedAfter returns the kind of the secret that a text states, if the text after it
// names it so.
func FindNamedAfter(text, after string) (kind string, found bool) {
	if !PointsBack(after) {
		return "", false
	}
	_, asked := namingOf(after)
	return findReply(awaited, asked, text)
}

func findReply(level naming, asked sentence, text string) (kind string, found bool) {
	if level == unnamed {
		return "", false
	}
	f := fold(text)
	for _, s := range readSentences(f, words().marks(f.low)) {
		if all := s.reply(level, asked); len(all) > 0 {
			return all[0].kind, true
		}
	}
	return "", false
}

// reply returns the secret that a sentence states as the reply to what was asked.
func (s sentence) reply(level naming, asked sentence) []finding {
	n := allNouns[0]
	for _, each := range slices.Backward(allNouns) {
		if asked.has(each.role) {
			n = each
		}
	}
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && !s[to-1].ends && !s[to].is(but) {
			to++
		}
		if at, ok := s[from:to].value(level, asked, n.plain); ok {
			return []finding{{at, n.kind}}
		}
		from = to
	}
	return nil
}

// value returns the place of a value that makes no sentence with the words around it.
func (s sentence) value(level naming, asked sentence, plain bool) (at span, ok bool) {
	const (
		leastDigits      = 3    // of a number that was asked for, such as the code of a card
		maxOther         = 1    // words beside a number
		maxNamed, maxCJK = 2, 8 // words of a value that nobody asked for; characters of one without blanks
	)
	first, last, others := -1, -1, 0
	strong := len(s.numbers(0, len(s), leastDigits+int(awaited-level))) > 0
	introduced, prose := false, false
	for i, w := range s {
		switch {
		case w.is(links | small | adverb | nouns):
			introduced = introduced || first < 0 && w.is(links|points)
			continue
		case w.is(preposition):
			prose = true
			continue
		case w.digits > 0 && s.isCounted(i):
			prose = true
		case w.digits > 0 || w.is(digit|tens) || len(w.text) == 1:
		case w.mixed >= minMixed && !w.is(unit):
			strong = true
		case slices.ContainsFunc(asked, func(a word) bool { return strings.EqualFold(a.text, w.text) }):
			continue
		default:
			prose = prose || w.is(function|describes) || otherThing().MatchString(w.text)
			others++
		}
		if last = i; first < 0 {
			first = i
		}
	}
	if first < 0 {
		return at, false
	}
	at = span{s[first].from, s[last].to}
	isWords := plain && !prose && others > 0 && others <= maxPhrase
	switch {
	case strong && others <= maxOther:
		return at, true
	case s[last].isCJK():
		return at, isWords && level == awaited && others == 1 && utf8.RuneCountInString(s[first].text) <= maxCJK
	}
	return at, isWords && (level == awaited || introduced || first == 0 && others <= maxNamed)
}
