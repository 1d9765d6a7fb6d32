package alignment

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/lang"
)

// role is what a listed word does in a statement. Several may hold. lang/alignment.md
// describes them.
type role uint32

const (
	filler role = 1 << iota
	definite
	title
	link
	verb
	live
	one
	many
	change
	fresh
	moves
	end
	former
	add
	doubt
	happened
	negation
	answer
	contrast
	joins
	clause
	day
	month
	number
	short
)

var roleNames = []string{"filler", "definite", "title", "link", "verb", "live", "one", "many", "change", "fresh", "moves", "end", "former", "add", "doubt",
	"happened", "negation", "answer", "contrast", "joins", "clause", "day", "month", "number", "short"}

// effects are the roles of words that are taken out of it, whatever else they are.
const effects = change | fresh | moves | end | former | add | doubt | negation

// dropped are the roles of all words that are taken out.
const dropped = effects | filler | definite | title | link

// phrase is a list of words with a role. "DATE" stands for a day or a month, with or without
// its number, and "GAP" for up to maxGap words.
type phrase struct {
	words []string
	roles role
}

const (
	dateMark = "date"
	gapMark  = "gap"
	maxGap   = 5
	maxDate  = 4 // words: "1 de octubre"
)

// lists holds the words of all languages, because people mix them.
type lists struct {
	words    map[string]role     // single words
	prefixes []phrase            // one word each, of which the beginning is listed
	phrases  map[string][]phrase // by their first word, the longest first
}

var loadedLists = sync.OnceValue(mustLoad)

func mustLoad() *lists {
	l := &lists{words: map[string]role{}, phrases: map[string][]phrase{}}
	if err := l.read(lang.Lines("alignment")); err != nil {
		panic(err)
	}
	for _, list := range l.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return l
}

// read adds the lines of tables. Their sections are named by the roles of their words.
func (l *lists) read(lines iter.Seq[lang.Line]) error {
	for line := range lines {
		var roles role
		for name := range strings.FieldsSeq(line.Section) {
			at := slices.Index(roleNames, name)
			if at < 0 {
				return fmt.Errorf("%s, line %d: unknown role %q", line.File, line.Number, name)
			}
			roles |= 1 << at
		}
		for item := range strings.FieldsSeq(line.Text) {
			l.add(item, roles)
		}
	}
	return nil
}

func (l *lists) add(item string, roles role) {
	if start, found := strings.CutSuffix(item, "~"); found {
		l.prefixes = append(l.prefixes, phrase{[]string{start}, roles})
		return
	}
	var words []string
	for _, t := range split(strings.ReplaceAll(item, "_", " "), nil) {
		words = append(words, t.word)
	}
	if len(words) == 1 {
		l.words[words[0]] |= roles
		return
	}
	l.phrases[words[0]] = append(l.phrases[words[0]], phrase{words, roles})
}

// rolesOf returns the roles of a single word.
func (l *lists) rolesOf(word string) (roles role) {
	roles = l.words[word]
	for _, p := range l.prefixes {
		if len(word) > len(p.words[0]) && strings.HasPrefix(word, p.words[0]) {
			roles |= p.roles
		}
	}
	return roles
}

// match returns the roles of the longest phrase at the beginning of a list of tokens, and the
// positions of its words. A single word is a phrase.
func (l *lists) match(tokens []token) (roles role, at []int) {
	for _, p := range l.phrases[tokens[0].word] {
		if at := p.match(tokens); at != nil {
			return p.roles, at
		}
	}
	return tokens[0].roles, firstAlone
}

// firstAlone is the position of a single word.
var firstAlone = []int{0}

func (p *phrase) match(tokens []token) (at []int) {
	i := 0
	for n, word := range p.words {
		switch {
		case word == gapMark:
			to := min(len(tokens), i+maxGap+1)
			next := slices.IndexFunc(tokens[min(i, to):to], func(t token) bool { return t.word == p.words[n+1] })
			if next < 0 {
				return nil
			}
			i += next
		case word == dateMark:
			length := dateAt(tokens[i:])
			if length == 0 {
				return nil
			}
			for range length {
				at, i = append(at, i), i+1
			}
		case i == len(tokens) || tokens[i].word != word || n > 0 && tokens[i].begins:
			return nil
		default:
			at, i = append(at, i), i+1
		}
	}
	return at
}

// dateAt returns how many tokens at the beginning of a list are a date.
func dateAt(tokens []token) (length int) {
	for length < min(len(tokens), maxDate) {
		isOf := length > 0 && length+1 < len(tokens) && tokens[length-1].roles&month == 0 && tokens[length+1].roles&month != 0 // "1 de octubre"
		if tokens[length].kind != isDay && !isOf {
			break
		}
		length++
	}
	return length
}
