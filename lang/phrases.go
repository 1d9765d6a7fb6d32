package lang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Phrase is a compiled phrase of a table. It is words between spaces:
//
//	prefer          this word
//	prefer|like     one of these; write "would_rather" for two words
//	prefer~         any word that begins so
//	~street         any word that ends so
//	~               any word
//	%               any word that begins with a digit
//	[really]        it may be missing
//	*               up to four words (12 characters in Chinese and Japanese)
//	>               the match ends here; what follows must be there and is not part of it
//	^ $             the beginning and the end of the sentence
//
// Case and typographic quotes do not matter. A comma, colon, semicolon, full stop
// and question mark is a word of its own.
type Phrase struct {
	text  string
	cjk   bool
	expr  string   // of package regexp, for a folded text
	parts []string // every match has one of them
}

func (p Phrase) String() string { return p.text }

// ParsePhrase compiles a phrase, which must have a word that is not optional.
func ParsePhrase(text string) (Phrase, error) {
	p, err := parsePhrase(text)
	if err == nil && !slices.ContainsFunc(p.parts, func(part string) bool { return strings.ContainsFunc(part, isWordRune) }) {
		err = fmt.Errorf("phrase %q: it needs a word that is not optional", text)
	}
	return p, err
}

// parsePhrase compiles a phrase, which may be a mark such as a colon.
func parsePhrase(text string) (Phrase, error) {
	p := Phrase{text: text, cjk: HasCJK(text)}
	var b strings.Builder
	for word := range strings.FieldsSeq(normalize(text)) {
		optional := strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]")
		if optional {
			word = word[1 : len(word)-1]
		}
		if strings.ContainsAny(word, "[]") || word == "" {
			return p, fmt.Errorf("phrase %q: brackets enclose whole words", text)
		}
		expr := p.word(word)
		if optional {
			expr = "(?:" + expr + ")?"
		}
		b.WriteString(expr)
		if parts := literals(word); !optional && shortest(parts) > shortest(p.parts) {
			p.parts = parts
		}
	}
	if p.parts == nil {
		return p, fmt.Errorf("phrase %q: it needs a word or a mark that is not optional", text)
	}
	if !p.cjk && !strings.HasSuffix(b.String(), "$") {
		b.WriteString(" ")
	}
	p.expr = b.String()
	return p, nil
}

// word returns the expression of one word of a phrase.
func (p Phrase) word(word string) string {
	switch word {
	case "^":
		return "^"
	case ">":
		return "()"
	case "$":
		if p.cjk {
			return `[。.！!~〜、, ]*$`
		}
		return `(?: [.!,])* $`
	case "*":
		if p.cjk {
			return `[^。！!？?]{0,12}?`
		}
		return `(?: [^ .;:!?]\S*){0,4}?`
	}
	var choices []string
	for choice := range strings.SplitSeq(word, "|") {
		choice = regexp.QuoteMeta(strings.ReplaceAll(choice, "_", " "))
		if p.cjk {
			choice = strings.TrimSuffix(choice, "~")
		}
		if choice == "~" {
			choice = `[^ .,;:!?]\S*`
		}
		choices = append(choices, wildcards.Replace(choice))
	}
	one := strings.Join(choices, "|")
	if len(choices) > 1 {
		one = "(?:" + one + ")"
	}
	if p.cjk {
		return one
	}
	return " " + one
}

// wildcards replaces the signs for any letters, which are none in a regular expression.
var wildcards = strings.NewReplacer("~", `\S*`, "%", `\d\S*`)

// literals returns the choices of a word of a phrase without wildcards. There are none if a
// choice is a wildcard alone.
func literals(word string) (parts []string) {
	if word == "^" || word == "$" || word == "*" || word == ">" {
		return nil
	}
	for choice := range strings.SplitSeq(word, "|") {
		part := strings.ReplaceAll(strings.Trim(choice, "~%"), "_", " ")
		if part == "" {
			return nil
		}
		parts = append(parts, part)
	}
	return parts
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// shortest returns the length of the shortest of some texts, or 0.
func shortest(parts []string) int {
	if len(parts) == 0 {
		return 0
	}
	return len(slices.MinFunc(parts, func(a, b string) int { return len(a) - len(b) }))
}

// Phrases matches any of several phrases. Those of scripts without blanks are matched apart,
// because such a text has no words to count. The zero value matches nothing.
type Phrases struct{ spaced, cjk group }

// group is the phrases of one kind of script.
type group struct {
	parts []string // a text without any of them matches no phrase, which is quick to see
	expr  *regexp.Regexp
}

// NewPhrases returns a set of phrases.
func NewPhrases(list []Phrase) Phrases {
	isCJK := func(p Phrase) bool { return p.cjk }
	return Phrases{newGroup(slices.DeleteFunc(slices.Clone(list), isCJK)), newGroup(slices.DeleteFunc(slices.Clone(list), func(p Phrase) bool { return !isCJK(p) }))}
}

func newGroup(list []Phrase) (g group) {
	if len(list) == 0 {
		return g
	}
	exprs := make([]string, len(list))
	for i, p := range list {
		exprs[i], g.parts = p.expr, append(g.parts, p.parts...)
	}
	slices.Sort(g.parts)
	g.parts = slices.Compact(g.parts)
	g.expr = regexp.MustCompile("(?:" + strings.Join(exprs, "|") + ")")
	g.expr.Longest()
	return g
}

// PhrasesOf returns a function that returns the phrases of a section of a subject in all
// languages. They are compiled when they are first asked for.
func PhrasesOf(subject string) func(section string) Phrases {
	var compiled sync.Map // a set by the name of its section
	return func(section string) Phrases {
		if set, ok := compiled.Load(section); ok {
			return set.(Phrases)
		}
		var list []Phrase
		for _, line := range tableOf(subject)[section] {
			p, err := parsePhrase(line.Text)
			if err != nil {
				panic(fmt.Errorf("%s, line %d: %w", line.File, line.Number, err))
			}
			list = append(list, p)
		}
		set, _ := compiled.LoadOrStore(section, NewPhrases(list))
		return set.(Phrases)
	}
}

// Match reports whether a phrase matches a text.
func (s Phrases) Match(f Folded) bool {
	_, _, ok := s.FindFolded(f)
	return ok
}

// Find returns where a phrase matches a text, as byte offsets in its original.
func (s Phrases) Find(f Folded) (start, end int, ok bool) {
	if start, end, ok = s.FindFolded(f); ok {
		start, end = f.Original(start), f.Original(end)
	}
	return start, end, ok
}

// FindFolded returns where a phrase matches a text, as byte offsets in the folded text.
func (s Phrases) FindFolded(f Folded) (start, end int, ok bool) {
	g := s.spaced
	if f.CJK {
		g = s.cjk
	}
	if !slices.ContainsFunc(g.parts, func(part string) bool { return strings.Contains(f.Text, part) }) {
		return 0, 0, false
	}
	at := g.expr.FindStringSubmatchIndex(f.Text)
	if at == nil {
		return 0, 0, false
	}
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			at[1] = at[i]
		}
	}
	return at[0], at[1], true
}
