package workspace

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// glob is a pattern split at its slashes. A segment "**" matches any number of
// folders, and at the end everything below. Other segments are those of path.Match.
type glob []string

func parseGlob(pattern string) (glob, error) {
	g := glob(strings.Split(pattern, "/"))
	position := 1 // in characters
	for _, segment := range g {
		if _, err := path.Match(segment, ""); err != nil {
			return nil, fmt.Errorf("%q at character %d cannot be matched", segment, position)
		}
		position += utf8.RuneCountInString(segment) + 1
	}
	return g, nil
}

// match reports whether the whole of name matches. On a mismatch it backtracks to
// the last "**" only. That is enough, and a pattern with many of them stays fast.
func (g glob) match(name []string) bool {
	at, star, resume := 0, -1, 0
	for i := 0; i < len(name); {
		switch {
		case at < len(g) && g[at] == "**":
			star, resume = at, i
			at++
		case at < len(g) && matchSegment(g[at], name[i]):
			at++
			i++
		case star >= 0:
			resume++
			at, i = star+1, resume
		default:
			return false
		}
	}
	for at < len(g) && g[at] == "**" {
		at++
	}
	return at == len(g)
}

// mayMatchBelow reports whether any name below the folder could match.
func (g glob) mayMatchBelow(folder []string) bool {
	for i, segment := range g {
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
