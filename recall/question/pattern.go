package question

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// pattern is a regular expression with a quick test. Most questions fail the test, and
// matching takes several times as long.
type pattern struct {
	*lazyregexp.Regexp
	parts []string // in lower case: each match has one of them
}

// newPattern compiles an expression. A comma separates its parts.
func newPattern(expression, parts string) pattern {
	return pattern{lazyregexp.New(expression), strings.Split(parts, ",")}
}

// matches reports whether a text matches. lower is the text in lower case.
func (p pattern) matches(text, lower string) bool {
	return slices.ContainsFunc(p.parts, func(part string) bool { return strings.Contains(lower, part) }) && p.MatchString(text)
}
