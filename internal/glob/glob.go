// Package glob matches paths with the patterns that people write in filters.
package glob

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Pattern is a compiled pattern. Its zero value matches the empty path alone.
type Pattern struct {
	path   string // matches itself, and every path in this folder
	regexp *regexp.Regexp
}

// Compile compiles a pattern: a path, a folder, or a glob. In a glob '*' and '?' stop
// at '/', '**' does not, and '**/' also matches nothing. A glob that is invalid, as
// "[z-a]", matches only as a path.
func Compile(pattern string) Pattern {
	p := Pattern{path: strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")}
	if strings.ContainsAny(p.path, "*?[") {
		p.regexp = compile(p.path)
	}
	return p
}

// Check returns an error that names the first mistake in a pattern and its
// position. It is a bracket that is not closed, or a range that holds no character.
func Check(pattern string) error {
	at := 0
	for _, element := range syntax.FindAllString(pattern, -1) {
		position := utf8.RuneCountInString(pattern[:at]) + 1
		if element == "[" {
			return fmt.Errorf("the [ at character %d has no ]", position)
		}
		if element[0] == '[' && compile(element) == nil {
			return fmt.Errorf("%s at character %d holds a range without a character", element, position)
		}
		at += len(element)
	}
	return nil
}

// Match reports whether the pattern matches a path, whose separator is '/'.
func (p Pattern) Match(path string) bool {
	return path == p.path || strings.HasPrefix(path, p.path) && path[len(p.path)] == '/' ||
		p.regexp != nil && p.regexp.MatchString(path)
}

// syntax cuts a pattern into its elements.
var syntax = regexp.MustCompile(`\*\*/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|[^*?\[]+|\[`)

// compile returns nil for an invalid glob.
func compile(glob string) *regexp.Regexp {
	var b strings.Builder
	for _, element := range syntax.FindAllString(glob, -1) {
		switch {
		case element == "**/":
			b.WriteString("(?:.*/)?")
		case element == "**":
			b.WriteString(".*")
		case element == "*":
			b.WriteString("[^/]*")
		case element == "?":
			b.WriteString("[^/]")
		case len(element) > 2 && element[0] == '[':
			b.WriteString("[" + charClass(element[1:len(element)-1]) + "]")
		default:
			b.WriteString(regexp.QuoteMeta(element))
		}
	}
	re, err := regexp.Compile(`\A(?s:` + b.String() + `)\z`)
	if err != nil {
		return nil
	}
	return re
}

// charClass translates the inside of a bracket expression to a regular expression.
func charClass(class string) string {
	not := ""
	if class[0] == '!' || class[0] == '^' {
		not, class = "^", class[1:]
	}
	return not + strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`, `&`, `\&`).Replace(class)
}
