package alignment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
)

// maxStatement is the number of words over which a text is more than one statement. Its
// values cannot be told apart.
const maxStatement = 40

// item is a word of a statement that is aligned.
type item struct {
	stem   uint64
	kind   kind
	roles  role
	gap    uint64 // a hash of the words taken out before it, but for words of change
	link   uint64 // the last word before it that joins a subject and its value; 0: none
	unique bool   // "the" or a title comes directly before it: it names one thing
	former bool   // the text may say that it was the value before: "from"
	named  bool   // it does say so: "instead of"
	unit   rune   // the first letter in a number, as 時 in 10時; 0: none
}

// statement is the items of a text, and what the words that were taken out say.
type statement struct {
	items    []item
	roles    role        // of all its words
	denied   bool        // it has a negation
	definite bool        // it begins like "the" or "our": its subject is the only one
	clauses  []statement // if it has more than one
}

// readStatement reads the items of a text. A question, and a text of several statements,
// have none.
func readStatement(tokens []token, isQuestion bool) *statement {
	s := &statement{}
	if isQuestion || len(tokens) == 0 || len(tokens) > maxStatement && !hasCJK(tokens) || len(tokens) > 2*maxStatement {
		return s
	}
	r := statementReader{lists: loadedLists(), tokens: tokens, whole: s}
	s.items = make([]item, 0, len(tokens))
	s.definite, r.part.definite = tokens[0].roles&definite != 0, tokens[0].roles&definite != 0
	for r.at < len(tokens) {
		r.read()
	}
	r.endClause()
	return s
}

func hasCJK(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return lang.IsEastAsian([]rune(t.word)[0]) })
}

// isLink is the link of a value after a colon, or after a word such as "now".
const isLink = hashPrime

type statementReader struct {
	*lists
	tokens  []token
	used    [2 * maxStatement]bool // words of phrases that were read
	at      int
	whole   *statement
	part    statement
	pending bool // a former value follows
	next    item // what is known about the next item
}

// read reads one phrase, or one word.
func (r *statementReader) read() {
	t := &r.tokens[r.at]
	if r.used[r.at] {
		r.at++
		return
	}
	roles, words := r.match(r.tokens[r.at:])
	if t.begins || roles&clause != 0 {
		r.endClause()
	}
	for _, i := range words {
		r.used[r.at+i] = true
	}
	last := &r.tokens[r.at+words[len(words)-1]]
	r.whole.roles |= roles
	r.part.roles |= roles
	switch {
	case roles&negation != 0 && roles&end == 0:
		r.whole.denied, r.part.denied = true, true
	case roles&clause != 0:
	case roles&dropped != 0:
		r.drop(roles, words)
	default:
		r.addItem(roles, words)
	}
	if last.labels {
		r.part, r.next = statement{}, item{} // a label alone is no statement
		r.next.link = isLink
	}
	r.at++
}

// drop notes what words that are taken out say about the next item.
func (r *statementReader) drop(roles role, words []int) {
	for _, i := range words {
		switch word := r.tokens[r.at+i].word; {
		case roles&link != 0:
			r.next.link = hash(hashSeed, word)
			fallthrough
		case roles&(filler|definite) != 0 && roles&effects == 0:
			r.next.gap = hash(r.next.gap, word)
		}
	}
	if roles&(change|fresh) != 0 && r.next.link == 0 {
		r.next.link = isLink // "quote now 41,900"
	}
	r.next.unique = roles&title != 0 || roles&definite != 0 || r.next.unique && roles&(filler|link) == 0
	r.pending = roles&former != 0 || r.pending && roles&effects == 0
	r.next.former = r.pending || r.next.former && roles&(link|effects) == 0
	r.next.named = r.next.former && (roles&(former|change) == former|change || r.next.named && roles&former == 0)
}

// addItem adds a word, or a phrase that is one, such as the name of a day.
func (r *statementReader) addItem(roles role, words []int) {
	t, i := r.tokens[r.at], r.next
	i.stem, i.kind, i.roles = t.stem, t.kind, roles
	for _, k := range words[1:] {
		i.stem = hash(i.stem, r.tokens[r.at+k].word)
	}
	switch {
	case roles&(day|month) != 0:
		i.kind = isDay
	case i.kind == isNumber:
		i.unit = unitOf(t.word)
	}
	r.whole.items = append(r.whole.items, i)
	r.part.items = r.whole.items[len(r.whole.items)-len(r.part.items)-1:] // the last ones
	r.pending = false
	isValue := i.kind != isPlain
	r.next = item{former: i.former && isValue, named: i.named && isValue}
	if roles&(verb|live) != 0 {
		r.next.link = i.stem
	}
}

// unitOf returns the first letter after the digits of a number; 0 where there is none.
func unitOf(number string) rune {
	rest := strings.TrimLeftFunc(number, isNumeral)
	if i := strings.IndexFunc(rest, unicode.IsLetter); i >= 0 && rest != number {
		r, _ := utf8.DecodeRuneInString(rest[i:])
		return r
	}
	return 0
}

func (r *statementReader) endClause() {
	if len(r.part.items) > 0 {
		r.whole.clauses = append(r.whole.clauses, r.part)
		r.part = statement{definite: r.tokens[min(r.at, len(r.tokens)-1)].roles&definite != 0}
	}
	r.next = item{}
}

// divide returns the items that are no former values, and those that are.
func (s *statement) divide() (items, old []item) {
	if s.roles&former == 0 {
		return s.items, nil
	}
	for _, i := range s.items {
		if i.former {
			old = append(old, i)
		} else {
			items = append(items, i)
		}
	}
	return items, old
}
