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
	spelling map[int][]string   // the names of each month
	starts   map[string][]*rule // the rules that a word can begin
	prefixes []string           // that are words of their own: the "mid-" of "mid-May"
	numerals map[rune]int       // the values of characters that are numbers
	common   map[string]uint    // the languages of frequent words, a bit each
	endings  []affix            // of verbs

	capitalNouns uint // the languages whose nouns have capital letters
}

// entry is a word of a class in a language, or the first word of several.
type entry struct {
	class    string
	language int
	value    int
	rest     []string
}

// affix is how words of a class begin and end, as in "ge*t".
type affix struct {
	class       string
	language    int
	start, end  string
	isAnywhere  bool // the beginning may have other letters before it
	minimumSize int  // of the whole word, in bytes
}

// rule is a line of a pattern.
type rule struct {
	meaning  string
	values   []int // the numbers behind the meaning
	isAnchor bool  // it counts only where a date is expected
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
range: <date> - <date>
range: <date> - <day> , <year>?
range: <day> - <date>
`

// tables returns the compiled tables.
var tables = sync.OnceValue(func() *grammar {
	g := &grammar{words: map[string][]entry{}, spelling: map[int][]string{}, starts: map[string][]*rule{}, numerals: map[rune]int{}, common: map[string]uint{}}
	var rules []*rule
	for number, language := range lang.Languages() {
		for line := range lang.LinesOf(language, "dates") {
			g.addLine(line, number, &rules)
		}
	}
	for line := range lang.Read(numberRules) {
		g.addLine(line, -1, &rules)
	}
	g.indexRules(rules)
	return g
})

// addLine adds a line of a table of the language with a number.
func (g *grammar) addLine(line lang.Line, language int, rules *[]*rule) {
	name, words, hasName := strings.Cut(line.Text, ": ")
	if !hasName {
		name, words = "0", line.Text
	}
	switch line.Section {
	case "pattern":
		r, err := g.parseRule(name, words)
		if err != nil {
			panic(fmt.Sprintf("%s:%d: %v", line.File, line.Number, err))
		}
		r.language = language
		*rules = append(*rules, r)
		return
	case "prefix":
		g.prefixes = append(g.prefixes, strings.Fields(words)...)
		return
	}
	value, err := strconv.Atoi(name)
	if err != nil {
		if value = nameValues[name]; value == 0 {
			panic(fmt.Sprintf("%s:%d: %q is no number, unit or relation", line.File, line.Number, name))
		}
	}
	for word := range strings.FieldsSeq(words) {
		g.addWord(line.Section, word, language, value)
	}
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
	case class == "capital nouns":
		g.capitalNouns |= 1 << language
		return
	case strings.Contains(word, "*"):
		start, end, _ := strings.Cut(strings.TrimPrefix(word, "*"), "*")
		if isEnding := strings.Count(word, "*") == 1 && word[0] == '*'; isEnding {
			start, end = "", start
		}
		g.endings = append(g.endings, affix{class, language, start, end, word[0] == '*' && start != "", len(start) + len(end) + 2})
		return
	case strings.HasPrefix(class, "month"):
		g.spelling[value] = append(g.spelling[value], word)
	}
	parts := g.patternWords(word)
	g.common[parts[0]] |= 1 << language
	g.words[parts[0]] = append(g.words[parts[0]], entry{class, language, value, parts[1:]})
}

// nameValues has the values of words before a colon: units in days, and relations.
var nameValues = map[string]int{
	"day": 1, "weekend": weekend, "week": 7, "month": 31, "year": 366,
	"before": int(relBefore), "after": int(relAfter), "since": int(relSince), "until": int(relUntil),
}

// weekend is the value of the weekend as a unit: its days.
const weekend = 2

// patternWords splits words of a table as a text is split.
func (g *grammar) patternWords(joined string) (words []string) {
	for _, t := range g.tokenise(strings.ReplaceAll(joined, "_", " ")) {
		words = append(words, t.lower)
	}
	return words
}

// parseRule reads a pattern and its meaning.
func (g *grammar) parseRule(meaning, pattern string) (*rule, error) {
	fields := strings.Fields(meaning)
	r := &rule{}
	if fields[0] == "anchor" {
		r.isAnchor, fields = true, fields[1:]
	}
	r.meaning = fields[0]
	if meanings[r.meaning] == nil {
		return nil, fmt.Errorf("%q is no meaning", r.meaning)
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

// unions has the classes of which several make one.
var unions = map[string][]string{
	"any month": {"month", "month after", "month beside"},
	"period":    {"unit", "weekday", "month", "month after", "season"},
	"units":     {"unit", "plural unit"},
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
	words, known := map[ofClass][]string{}, map[string]bool{}
	for word, entries := range g.words {
		for _, e := range entries {
			words[ofClass{e.class, e.language}] = append(words[ofClass{e.class, e.language}], word)
		}
	}
	// The rules of <date> come first, then those of <time>, because others contain them.
	order := func(r *rule) int {
		if r.isNested("date") {
			return 0
		} else if r.isNested("time") {
			return 1
		}
		return 2
	}
	slices.SortStableFunc(rules, func(a, b *rule) int { return order(a) - order(b) })
	for _, r := range rules {
		for _, word := range firstWords(r, words) {
			g.starts[word] = append(g.starts[word], r)
			for _, class := range []string{"date", "time"} {
				if key := (ofClass{class, -1}); r.isNested(class) && !known[class+" "+word] {
					known[class+" "+word], words[key] = true, append(words[key], word)
				}
			}
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
			case "day", "ordinal day", "year", "figures":
				first = append(first, number)
			case "date", "time":
				first = append(first, words[ofClass{a.class, -1}]...)
			case "n":
				first = append(append(first, number), words[ofClass{"number", r.language}]...)
			}
			for _, class := range append(unions[a.class], a.class) {
				first = append(first, words[ofClass{class, r.language}]...)
			}
		}
		if !e.isOptional {
			break
		}
	}
	slices.Sort(first)
	return slices.Compact(first)
}

// isOf reports whether a word is of a class in a language.
func (e entry) isOf(class string, language int) bool {
	return e.language == language && (e.class == class || slices.Contains(unions[class], e.class))
}

// isNested reports whether a rule may be <date> or <time> in another one.
func (r *rule) isNested(class string) bool {
	return !r.isAnchor && (r.meaning == "date" || class == "time" && meanings[r.meaning].isRelative)
}
