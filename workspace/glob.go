package workspace

import (
	"path"
	"strings"
)

// glob is a pattern cut at its slashes. A segment "**" stands for any number
// of folders, at the end for everything below; others are as in path.Match.
type glob []string

func parseGlob(pattern string) (glob, error) {
	g := glob(strings.Split(pattern, "/"))
	for _, segment := range g {
		if _, err := path.Match(segment, ""); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// match says whether the whole of name fits. On a mismatch only the last "**"
// gives way, which is enough, and keeps many of them from taking for ever.
func (g glob) match(name []string) bool {
	at, star, resume := 0, -1, 0
	for i := 0; i < len(name); {
		switch {
		case at < len(g) && g[at] == "**":
			star, resume = at, i
			at++
		case at < len(g) && fits(g[at], name[i]):
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

// below says whether anything under the folder could fit.
func (g glob) below(folder []string) bool {
	for i, segment := range g {
		switch {
		case segment == "**" || i == len(folder):
			return true
		case !fits(segment, folder[i]):
			return false
		}
	}
	return false
}

func fits(segment, name string) bool {
	ok, err := path.Match(segment, name)
	return ok && err == nil
}
