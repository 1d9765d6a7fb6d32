// Package glob matches paths with patterns, segment by segment.
package glob

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Pattern is a pattern split at its slashes. A segment "**" matches any number of
// folders, and at the end everything below. Other segments are those of path.Match, where
// [!a] is also [^a].
type Pattern []string

// Parse splits a pattern. The error names the first segment that is not valid, and its
// position.
func Parse(pattern string) (Pattern, error) {
	p := Pattern(strings.Split(strings.ReplaceAll(pattern, "[!", "[^"), "/"))
	position := 1 // in characters
	for _, segment := range p {
		if _, err := path.Match(segment, ""); err != nil {
			return nil, fmt.Errorf("%q at character %d cannot be matched", segment, position)
		}
		position += utf8.RuneCountInString(segment) + 1
	}
	return p, nil
}

// Match reports whether the whole of name matches. On a mismatch it backtracks to
// the last "**" only. That is enough, and a pattern with many of them stays fast.
func (p Pattern) Match(name []string) bool {
	at, star, resume := 0, -1, 0
	for i := 0; i < len(name); {
		switch {
		case at < len(p) && p[at] == "**":
			star, resume = at, i
			at++
		case at < len(p) && matchSegment(p[at], name[i]):
			at++
			i++
		case star >= 0:
			resume++
			at, i = star+1, resume
		default:
			return false
		}
	}
	for at < len(p) && p[at] == "**" {
		at++
	}
	return at == len(p)
}

// MayMatchBelow reports whether any name below the folder could match.
func (p Pattern) MayMatchBelow(folder []string) bool {
	for i, segment := range p {
		switch {
		case segment == "**" || i == len(folder):
			return true
		case !matchSegment(segment, folder[i]):
			return false
		}
	}
	return false
}

func matchSegment(segment, name string) bool {
	ok, err := path.Match(segment, name)
	return ok && err == nil
}

// Filter is a path, a folder or a pattern, as people write it in filters. Its zero value
// matches the empty path alone.
type Filter struct {
	path    string // matches itself, and every path in this folder
	pattern Pattern
}

// Compile compiles a filter. A pattern that is not valid matches only as a path.
func Compile(filter string) Filter {
	f := Filter{path: strings.TrimSuffix(strings.TrimPrefix(filter, "./"), "/")}
	if strings.ContainsAny(f.path, "*?[") {
		f.pattern, _ = Parse(f.path)
	}
	return f
}

// Match reports whether the filter matches a path, whose separator is '/'.
func (f Filter) Match(path string) bool {
	return path == f.path || strings.HasPrefix(path, f.path) && path[len(f.path)] == '/' ||
		f.pattern != nil && f.pattern.Match(strings.Split(path, "/"))
}
