package dates

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory/lang"
)

// found is a match of a rule in a text.
type found struct {
	*rule
	from, to int // the first token, and the one after the last
	captures []capture
}

// capture is a word of a class in a match, or a time in it.
type capture struct {
	class   string
	value   int
	at      int // the token
	date    partialDate
	mention *mention
}

// get returns the first capture of a class, and whether there is one.
func (f *found) get(classes ...string) (c capture, ok bool) {
	for _, c := range f.captures {
		if slices.Contains(classes, c.class) {
			return c, true
		}
	}
	return capture{}, false
}

// all returns the captures of a class.
func (f *found) all(class string) (list []capture) {
	for _, c := range f.captures {
		if c.class == class {
			list = append(list, c)
		}
	}
	return list
}

// matches returns the matches of rules at a token, the longest first.
func (r *reader) matches(at int, wanted func(*rule) bool) (list []found) {
	word := r.tokens[at].lower
	rules := r.grammar.starts[word]
	if isDigit(word[0]) || r.grammar.numeral(word) > 0 {
		rules = append(rules[:len(rules):len(rules)], r.grammar.starts[number]...)
	}
	for _, rule := range rules {
		if wanted != nil && !wanted(rule) {
			continue
		}
		if captures, end := r.match(rule, rule.elements, at, at, nil); end > at {
			list = append(list, found{rule, at, end, captures})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.to, a.to) })
	return list
}

// match compares elements of a rule with the tokens from at on. start is the first token of
// the rule. It returns 0 as the end if they differ.
func (r *reader) match(rule *rule, elements []element, start, at int, captures []capture) (all []capture, end int) {
	if len(elements) == 0 {
		return captures, at
	}
	e := &elements[0]
	if at < len(r.tokens) && (at == start || r.goesOn(at) || e.afterComma && strings.ContainsRune(",，、（(", r.tokens[at-1].mark)) {
		for i := range e.alternatives {
			for c, next := range r.options(rule, &e.alternatives[i], start, at) {
				with := captures
				if c.class != "" {
					with = append(captures[:len(captures):len(captures)], c)
				}
				if all, end = r.match(rule, elements[1:], start, next, with); end > 0 {
					return all, end
				}
			}
		}
	}
	if e.isOptional {
		return r.match(rule, elements[1:], start, at, captures)
	}
	return nil, 0
}

// options calls yield for each way in which an alternative matches the tokens from at on. next
// is the token behind it.
func (r *reader) options(rule *rule, a *alternative, start, at int) func(yield func(c capture, next int) bool) {
	return func(yield func(c capture, next int) bool) {
		t := &r.tokens[at]
		c := capture{class: a.class, at: at}
		switch a.class {
		case "":
			if r.hasWords(a.words, at) {
				yield(c, at+len(a.words))
			}
			return
		case "day":
			c.value = parseDay(t.lower)
		case "ordinal day":
			if t.mark == '.' && lang.AllDigits(t.lower) || lang.IsOrdinal(t.lower) {
				c.value = parseDay(t.lower)
			}
		case "year":
			c.value = parseYear(t.lower)
		case "n":
			c.value = parseNumber(t.lower)
		case "figures":
			if c.date = r.parseFigures(at); c.date != (partialDate{}) {
				yield(c, at+1)
			}
			return
		case "date", "time":
			isExpected := at > start && (rule.meaning != "third" || r.isUpper(at)) // "how early may we"
			c.mention = r.nested(a.class, at, isExpected)
			if c.mention.to > 0 {
				if len(c.mention.date) > 0 {
					c.date = c.mention.date[0]
				}
				yield(c, c.mention.to)
			}
			return
		}
		if c.value > 0 && !yield(c, at+1) {
			return
		}
		r.classOptions(rule, c, yield)
	}
}

// classOptions yields the words of a class at a token.
func (r *reader) classOptions(rule *rule, c capture, yield func(c capture, next int) bool) {
	class := c.class
	if class == "n" {
		class = "number"
	}
	word := r.tokens[c.at].lower
	if r.tokens[c.at].inCJK && (class == "day" || class == "number") {
		if n := r.grammar.numeral(word); n > 0 {
			c.value = n
			yield(c, c.at+1)
		}
		return
	}
	for _, e := range r.grammar.words[word] {
		if !e.isOf(class, rule.language) || !r.hasWords(e.rest, c.at+1) || e.class == "weekday short" && !r.isShortWeekday(c.at) {
			continue
		}
		c.class, c.value = e.class, e.value
		if class == "number" {
			c.class = "n"
		}
		if !yield(c, c.at+1+len(e.rest)) {
			return
		}
	}
}

// hasWords reports whether the tokens from at on are some words of one clause.
func (r *reader) hasWords(words []string, at int) bool {
	if at+len(words) > len(r.tokens) {
		return false
	}
	for i, word := range words {
		if r.tokens[at+i].lower != word || i > 0 && r.tokens[at+i-1].endsClause {
			return false
		}
	}
	return true
}

// nested reads a <date> or a <time> of a rule at a token.
func (r *reader) nested(class string, at int, isExpected bool) *mention {
	key := nestedKey{class, at, isExpected}
	if m, ok := r.memo[key]; ok {
		return m
	}
	m := &mention{}
	r.memo[key] = m // no rule begins with itself
	expected := r.expected
	if isExpected {
		r.expected = at
	}
	defer func() { r.expected = expected }()
	for _, f := range r.matches(at, func(rule *rule) bool { return rule.isNested(class) }) {
		if read := meanings[f.meaning].read(r, &f); read.isSet() {
			*m = read
			m.from, m.to = f.from, f.to
			break
		}
	}
	return m
}

// nestedKey is a class at a token.
type nestedKey struct {
	class      string
	at         int
	isExpected bool
}

// numeral returns the value of a number in Chinese characters, or 0.
func (g *grammar) numeral(word string) (n int) {
	for _, c := range word {
		switch value := g.numerals[c]; {
		case value == 0:
			return 0
		case value == 10 && n > 0:
			n *= value
		default:
			n += value
		}
	}
	return n
}

// isAny reports whether a word is of a class in any language.
func (g *grammar) isAny(word string, classes ...string) bool {
	for _, e := range g.words[word] {
		if len(e.rest) == 0 && slices.Contains(classes, e.class) {
			return true
		}
	}
	return false
}

// maxUnits bounds the number of days, weeks or months in a question. No memory is older.
const maxUnits = 5000

// parseNumber reads digits. It returns 0 if there are others, or the number is too large.
func parseNumber(w string) int {
	if !isDigit(w[0]) {
		return 0
	}
	n, err := strconv.Atoi(w)
	if err != nil || n > maxUnits {
		return 0
	}
	return n
}

// parseYear reads a year from 1900 to 2199, in which a memory may have been written.
func parseYear(w string) int {
	if n := parseNumber(w); len(w) == len("2006") && n >= 1900 && n < 2200 {
		return n
	}
	return 0
}

// IsDay reports whether a word may be the day of a month: 7, 07 or 7th.
func IsDay(w string) bool { return parseDay(w) > 0 }

// parseDay reads 7, 07 and 7th. It returns 0 if w is no day.
func parseDay(w string) int {
	if w == "" {
		return 0
	}
	if lang.IsOrdinal(w) {
		w = strings.TrimRight(strings.ToLower(w), "sthndr")
	}
	if n := parseNumber(w); len(w) <= len("31") && n <= 31 {
		return n
	}
	return 0
}
