package secrets

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
)

// role is what a word means for a secret beside it: a set of the sections of the tables.
type role uint32

// The sections that lang/secrets.md describes.
const (
	password role = 1 << iota
	pin
	cardCode
	token
	phrases
	login
	account
	place
	key
	opens
	other
	links
	as
	changes
	toward
	but
	counts
	unit
	small
	adverb
	preposition
	function
	describes
	digit
	tens
	asks
	asksOther
	announces
	points
	code // a key or a verb beside the place that it opens; no section

	nouns = password | pin | cardCode | token | phrases | login | code
)

var sections = map[string]role{
	"password": password, "pin": pin, "card code": cardCode, "token": token, "phrase": phrases, "login": login,
	"account": account, "place": place, "key": key, "opens": opens, "other": other,
	"links": links, "as": as, "changes": changes, "to": toward, "but": but, "counts": counts, "unit": unit,
	"small": small, "adverb": adverb, "preposition": preposition, "function": function, "describes": describes,
	"digit": digit, "tens": tens, "asks": asks, "asks otherwise": asksOther, "announces": announces, "points": points,
}

// entry is a word or a phrase of a table.
type entry struct {
	head, tail    string // the letters before and after the ~ inside
	before, after bool   // other letters may stand before it, and after its head
	role          role
}

// index has the entries of all languages by their first character, because people mix them.
type index struct{ whole, inside map[rune][]entry }

// words reads the tables at the first call.
var words = sync.OnceValue(func() index {
	x := index{map[rune][]entry{}, map[rune][]entry{}}
	for line := range lang.Lines("secrets") {
		if sections[line.Section] == 0 {
			panic(fmt.Errorf("%s, line %d: unknown section %q", line.File, line.Number, line.Section))
		}
		for word := range strings.FieldsSeq(line.Text) {
			x.add(word, sections[line.Section])
		}
	}
	return x
})

func (x index) add(word string, r role) {
	e := entry{role: r}
	word, e.before = strings.CutPrefix(strings.Map(lower, word), "~")
	e.head, e.tail, e.after = strings.Cut(word, "~")
	first, _ := utf8.DecodeRuneInString(e.head)
	list := x.whole
	if e.before || lang.IsCJK(first) {
		list = x.inside
	}
	list[first] = append(list[first], e)
}

// mark is a place in a text that has a role.
type mark struct {
	span
	role role
}

// marks returns the words of a text that are in a table, in order. Of two at one place the
// longer one counts.
func (x index) marks(low string) (all []mark) {
	inWord := false
	for i, r := range low {
		if !inWord {
			all = appendMarks(all, x.whole[r], low, i)
		}
		all = appendMarks(all, x.inside[r], low, i)
		inWord = isWordRune(r) && !lang.IsCJK(r)
	}
	return all
}

func appendMarks(all []mark, entries []entry, low string, at int) []mark {
	for _, e := range entries {
		m, ok := e.match(low, at)
		if !ok {
			continue
		}
		for len(all) > 0 && all[len(all)-1].from >= m.from && all[len(all)-1].to < m.to {
			all = all[:len(all)-1]
		}
		if n := len(all) - 1; n < 0 || all[n].to < m.to {
			all = append(all, m)
		} else if all[n].span == m.span {
			all[n].role |= m.role
		}
	}
	return all
}

// match returns the place of an entry whose head is at a place of a text.
func (e entry) match(low string, at int) (m mark, ok bool) {
	const minBetween = 3 // letters for the ~ inside a word
	rest := low[at:]
	if !strings.HasPrefix(rest, e.head) {
		return m, false
	}
	end := at + len(e.head)
	last, _ := utf8.DecodeLastRuneInString(e.head)
	next, _ := utf8.DecodeRuneInString(low[end:])
	switch {
	case e.after:
		word := low[end : end+wordLength(low[end:])]
		if e.tail != "" && (len(word) < len(e.tail)+minBetween || !strings.HasSuffix(word, e.tail)) {
			return m, false
		}
		end += len(word)
	case !lang.IsCJK(last) && isWordRune(last) && isWordRune(next) && !lang.IsCJK(next):
		return m, false
	}
	if e.before {
		start := strings.LastIndexFunc(low[:at], func(r rune) bool { return !isWordRune(r) || lang.IsCJK(r) })
		if at = start + 1; start >= 0 {
			_, size := utf8.DecodeRuneInString(low[start:])
			at = start + size
		}
	}
	return mark{span{at, end}, e.role}, true
}

// wordLength returns the length of the letters and digits that a text begins with.
func wordLength(text string) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !isWordRune(r) || lang.IsCJK(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// marksFrom returns the marks that do not end before a place.
func marksFrom(marks []mark, at int) []mark {
	for len(marks) > 0 && marks[0].to <= at {
		marks = marks[1:]
	}
	return marks
}

// roleOf returns the roles of what is at a place.
func roleOf(at span, marks []mark) (r role) {
	for _, m := range marks {
		if m.from >= at.to {
			break
		}
		if m.to > at.from {
			r |= m.role
		}
	}
	return r
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
