package dates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/lang"
)

// grammar is what the tables of all languages say.
type grammar struct {
	words    map[string][]entry // by their first word
	forms    []entry            // of verbs, as in "ge*t"
	spelling map[int][]string   // the names of each month
	starts   map[string][]*rule // the rules that a word can begin
	prefixes []string           // that are words of their own: the "d'" of "d'octobre"
	numerals map[rune]int       // the values of characters that are numbers
	common   map[string]uint    // the languages of frequent words, a bit each
}

// entry is a word of a class in a language, or the first word of several.
type entry struct {
	class    string
	language int
	value    int
	rest     []string
	form     string
}

// rule is a line of a pattern.
type rule struct {
	meaning  *meaning
	values   []int // the numbers behind the meaning
	isInner  bool  // it counts only within another one
	language int
	elements []element
}

// element is a part of a pattern.
type element struct {
	alternatives []alternative
	isOptional   bool
	afterComma   bool // a comma may be before it
}

// alternative is some words, or a word of a class.
type alternative struct {
	words []string
	class string
}

// numberRules has the patterns of numbers, which are the same in all languages.
const numberRules = `[pattern]
date: <figures>
date: <year>
`

// tables returns the compiled tables.
var tables = sync.OnceValue(func() *grammar {
	g := &grammar{words: map[string][]entry{}, spelling: map[int][]string{}, starts: map[string][]*rule{}, numerals: map[rune]int{}, common: map[string]uint{}}
	var rules []*rule
	add := func(line lang.Line, language int) {
		if err := g.addLine(line, language, &rules); err != nil {
			panic(fmt.Sprintf("%s:%d: %v", line.File, line.Number, err))
		}
	}
	for number, language := range lang.Languages() {
		for line := range lang.LinesOf(language, "dates") {
			add(line, number)
		}
	}
	for line := range lang.Read(numberRules) {
		add(line, -1)
	}
	g.indexRules(rules)
	return g
})

// addLine adds a line of a table of the language with a number.
func (g *grammar) addLine(line lang.Line, language int, rules *[]*rule) error {
	name, words, hasName := strings.Cut(line.Text, ": ")
	if !hasName {
		name, words = "0", line.Text
	}
	switch line.Section {
	case "pattern":
		r, err := g.parseRule(name, words, language)
		*rules = append(*rules, r)
		return err
	case "prefix":
		g.prefixes = append(g.prefixes, strings.Fields(words)...)
		return nil
	}
	value, err := strconv.Atoi(name)
	if err != nil {
		if value = unitDays[name]; value == 0 {
			return fmt.Errorf("%q is no number or unit", name)
		}
	}
	for word := range strings.FieldsSeq(words) {
		g.addWord(line.Section, word, language, value)
	}
	return nil
}

// addWord adds a word to a class.
func (g *grammar) addWord(class, word string, language, value int) {
	switch {
	case class == "numeral":
		g.numerals[[]rune(word)[0]] = value
		return
	case class == "common":
		g.common[word] |= 1 << language
		return
	case strings.Contains(word, "*"):
		g.forms = append(g.forms, entry{class: class, language: language, form: word})
		return
	case strings.HasPrefix(class, "month"):
		g.spelling[value] = append(g.spelling[value], word)
	}
	parts := g.patternWords(word)
	g.common[parts[0]] |= 1 << language
	g.words[parts[0]] = append(g.words[parts[0]], entry{class: class, language: language, value: value, rest: parts[1:]})
}

// unitDays has the days of the units.
var unitDays = map[string]int{"day": 1, "weekend": weekend, "week": daysInWeek, "month": 31, "year": 366}

// patternWords splits words of a table as a text is split.
func (g *grammar) patternWords(joined string) (words []string) {
	for _, t := range g.tokenise(strings.ReplaceAll(joined, "_", " ")) {
		words = append(words, t.lower)
	}
	return words
}

// parseRule reads a pattern and its meaning.
func (g *grammar) parseRule(meaning, pattern string, language int) (*rule, error) {
	fields := strings.Fields(meaning)
	r := &rule{language: language}
	if fields[0] == "inner" {
		r.isInner, fields = true, fields[1:]
	}
	if r.meaning = meanings[fields[0]]; r.meaning == nil {
		return nil, fmt.Errorf("%q is no meaning", fields[0])
	}
	for _, f := range fields[1:] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, err
		}
		r.values = append(r.values, n)
	}
	comma := false
	for part := range strings.FieldsSeq(pattern) {
		if part == "," {
			comma = true
			continue
		}
		e := element{afterComma: comma}
		part, e.isOptional = strings.CutSuffix(part, "?")
		for choice := range strings.SplitSeq(part, "|") {
			if strings.HasPrefix(choice, "<") {
				e.alternatives = append(e.alternatives, alternative{class: strings.ReplaceAll(strings.Trim(choice, "<>"), "_", " ")})
			} else {
				e.alternatives = append(e.alternatives, alternative{words: g.patternWords(choice)})
			}
		}
		r.elements, comma = append(r.elements, e), comma && e.isOptional
	}
	return r, nil
}

// number is the first word of a pattern that begins with digits.
const number = "0"

// ofClass is a class of words in a language.
type ofClass struct {
	class    string
	language int
}

// indexRules lists the rules by the words that can begin them.
func (g *grammar) indexRules(rules []*rule) {
	words := map[ofClass][]string{}
	for word, entries := range g.words {
		for _, e := range entries {
			key := ofClass{e.class, e.language}
			words[key] = append(words[key], word)
		}
	}
	for _, r := range rules {
		for _, word := range firstWords(r, words) {
			g.starts[word] = append(g.starts[word], r)
		}
	}
}

// firstWords returns the words that can begin a match of a rule, each once.
func firstWords(r *rule, words map[ofClass][]string) (first []string) {
	for _, e := range r.elements {
		for _, a := range e.alternatives {
			switch a.class {
			case "":
				first = append(first, a.words[0])
			case "day", "ordinal day", "year", "figures", "number":
				first = append(first, number)
			case "date":
				first = append(first, number)
				for _, class := range []string{"month", "month short", "month beside", "weekday", "weekday short"} {
					first = append(first, words[ofClass{class, r.language}]...)
				}
			}
			first = append(first, words[ofClass{a.class, r.language}]...)
		}
		if !e.isOptional {
			break
		}
	}
	slices.Sort(first)
	return slices.Compact(first)
}
