package dates

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/lang"
)

// mention is a time that a text names, and its words.
type mention struct {
	from, to int         // the first word, and the one after the last
	date     partialDate // what spans are made of, or empty
	spans    []Span      // what it may mean
	level    int         // of its meaning
	isNone   bool        // it only looks like a time
}

// isSet reports whether the mention is a time.
func (m mention) isSet() bool { return m.date != partialDate{} || len(m.spans) > 0 }

// found is a match of a rule in a text.
type found struct {
	*rule
	from, to int // the first token, and the one after the last
	captures []capture
}

// capture is a word of a class in a match, or a time in it.
type capture struct {
	class string
	value int
	at    int // the token
	mention
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

// nestedLevels has the highest level of a rule in another one: a date, a relative time, or a
// time that recurs.
var nestedLevels = map[string]int{"date": 1, "time": 2, "when": 3}

// anyLevel is the level of all rules.
const anyLevel = 4

// mentionAt reads the longest time that begins at a token, of rules up to a level. Within another
// rule, a time is expected.
func (r *reader) mentionAt(at, level int, isExpected bool) mention {
	word := r.tokens[at].lower
	rules := r.grammar.starts[word]
	if isDigit(word[0]) || r.grammar.numeral(word) > 0 {
		rules = append(rules[:len(rules):len(rules)], r.grammar.starts[number]...)
	}
	outer := r.isExpected
	r.isExpected = isExpected
	defer func() { r.isExpected = outer }()
	var list []found
	for _, rule := range rules {
		if rule.meaning.level > level || rule.isInner && !isExpected {
			continue
		}
		if captures, end := r.match(rule, rule.elements, at, at, nil); end > at {
			list = append(list, found{rule, at, end, captures})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.to, a.to) })
	for _, f := range list {
		if r.isOtherWord(f) {
			continue
		}
		if m := f.meaning.read(r, &f); m.isSet() || m.isNone {
			m.from, m.to, m.level = f.from, f.to, f.meaning.level
			return m
		}
	}
	return mention{}
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
		case "number":
			c.value = parseNumber(t.lower)
		case "figures":
			if c.date = parseFigures(t.lower, r.isExpected); c.date != (partialDate{}) {
				yield(c, at+1)
			}
			return
		case "date", "time", "when":
			if c.mention = r.mentionAt(at, nestedLevels[a.class], r.isExpected || at > start); c.isSet() {
				yield(c, c.to)
			}
			return
		}
		if t.inCJK && c.value == 0 && (a.class == "day" || a.class == "number") {
			c.value = r.grammar.numeral(t.lower)
		}
		if c.value > 0 && !yield(c, at+1) {
			return
		}
		for _, e := range r.grammar.words[t.lower] {
			isOf := e.class == a.class && e.language == rule.language && (e.class != "weekday short" || r.isShortWeekday(at))
			if c.value = e.value; isOf && r.hasWords(e.rest, at+1) && !yield(c, at+1+len(e.rest)) {
				return
			}
		}
	}
}

// isShortWeekday reports whether a short form of a weekday is one. It is written with a
// capital letter, or a mark follows: "so 20" is none.
func (r *reader) isShortWeekday(at int) bool {
	t := r.tokens[at]
	return t.mark == '.' || t.mark == ',' || t.mark == ')' || len(t.lower) > len("so") && r.isUpper(at)
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

// maxUnits bounds the number of days, weeks or months in a question. No memory is older.
const maxUnits = 5000

// parseNumber reads digits. It returns 0 if there are others, or the number is too large.
func parseNumber(w string) (n int) {
	for i := range len(w) {
		if n = 10*n + int(w[i]-'0'); !isDigit(w[i]) || n > maxUnits {
			return 0
		}
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
