package capture

import (
	"fmt"
	"regexp"
	"strings"
)

// Pattern is a compiled phrase of a trigger table. A phrase is words between
// spaces:
//
//	prefer          this word
//	prefer|like     one of these; write "would_rather" for two words
//	prefer~         any word that begins so
//	[really]        it may be missing
//	*               up to four words (12 characters in Chinese and Japanese)
//	>               the match ends here; what follows must be there and is not part of it
//	^ $             the beginning and the end of the sentence
//
// Case and typographic quotes do not matter. A comma, colon, semicolon, full stop
// and question mark is a word of its own.
type Pattern struct {
	text string
	cjk  bool
	expr string // of package regexp, for a folded text
}

func (p Pattern) String() string { return p.text }

// ParsePattern compiles a phrase, which must have a word that is not optional.
func ParsePattern(text string) (Pattern, error) {
	for word := range strings.FieldsSeq(text) {
		if !strings.HasPrefix(word, "[") && strings.ContainsFunc(word, isContent) {
			return parsePhrase(text)
		}
	}
	return Pattern{}, fmt.Errorf("trigger %q: it needs a word that is not optional", text)
}

// parsePhrase compiles a phrase, which may be a mark such as a colon.
func parsePhrase(text string) (Pattern, error) {
	p := Pattern{text: text, cjk: hasCJK(text)}
	var b strings.Builder
	for _, word := range strings.Fields(normalize(text)) {
		optional := strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]")
		if optional {
			word = word[1 : len(word)-1]
		}
		if strings.ContainsAny(word, "[]") || word == "" {
			return p, fmt.Errorf("trigger %q: brackets enclose whole words", text)
		}
		expr := p.word(word)
		if optional {
			expr = "(?:" + expr + ")?"
		}
		b.WriteString(expr)
	}
	if !p.cjk && !strings.HasSuffix(b.String(), "$") {
		b.WriteString(" ")
	}
	p.expr = b.String()
	return p, nil
}

// word returns the expression of one word of a phrase.
func (p Pattern) word(word string) string {
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
		prefix := strings.HasSuffix(choice, "~")
		choice = regexp.QuoteMeta(strings.ReplaceAll(strings.TrimSuffix(choice, "~"), "_", " "))
		if prefix && !p.cjk {
			choice += `\S*`
		}
		choices = append(choices, choice)
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

// patternSet matches any of several patterns. Latin and CJK phrases are matched
// separately, because a CJK text has no words to count.
type patternSet struct{ latin, cjk *regexp.Regexp }

func newPatternSet(patterns []Pattern) (s patternSet) {
	var latin, cjk []string
	for _, p := range patterns {
		if p.cjk {
			cjk = append(cjk, p.expr)
		} else {
			latin = append(latin, p.expr)
		}
	}
	return patternSet{compile(latin), compile(cjk)}
}

// compile joins expressions that ParsePattern made, so that the result is valid.
func compile(exprs []string) *regexp.Regexp {
	if len(exprs) == 0 {
		return nil
	}
	re := regexp.MustCompile("(?:" + strings.Join(exprs, "|") + ")")
	re.Longest()
	return re
}

// find returns where a pattern matches the text, as byte offsets in its original.
func (s patternSet) find(f folded) (start, end int, ok bool) {
	start, end, ok = s.findFolded(f)
	if !ok {
		return 0, 0, false
	}
	return f.original(start), f.original(end), true
}

// findFolded returns where a pattern matches, as byte offsets in the folded text.
func (s patternSet) findFolded(f folded) (start, end int, ok bool) {
	re := s.latin
	if f.cjk {
		re = s.cjk
	}
	if re == nil {
		return 0, 0, false
	}
	at := re.FindStringSubmatchIndex(f.text)
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

func (s patternSet) match(f folded) bool {
	_, _, ok := s.findFolded(f)
	return ok
}
