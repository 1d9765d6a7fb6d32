package glob_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/glob"
)

// FuzzMatch compares the matcher with one that tries every number of folders for each **.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{{"notes/**/*.md", "notes/a/b.md"}, {"**/[!a]?.md", "x/bc.md"}, {"**", "a"}, {"a/**", "a"},
		{"**/a/**/a/**", "a/b/a/b"}, {`\*.md`, "*.md"}, {"[z-a", "["}, {"é/*", "é/x"}, {"**/**/b", "a/b"}, {"/", ""}, {"a//b", "a//b"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 40 || len(name) > 40 {
			return // the other matcher takes long
		}
		if ok, err := filepath.Match(glob.Escape(name), name); !ok || err != nil {
			t.Fatalf("%q escaped is %q, which does not match it: %v", name, glob.Escape(name), err)
		}
		p, err := glob.Parse(pattern)
		if err != nil {
			if !glob.Compile(pattern).Match(strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")) {
				t.Fatalf("%q is not valid, and does not match itself as a path", pattern)
			}
			return
		}
		segments := strings.Split(name, "/")
		got := p.Match(segments)
		if want := matchesSlowly(p, segments); got != want {
			t.Fatalf("%q matches %q: %v, want %v", pattern, name, got, want)
		}
		for n := range segments {
			if got && n > 0 && !p.MayMatchBelow(segments[:n]) {
				t.Fatalf("%q matches %q, and nothing below %q", pattern, name, segments[:n])
			}
		}
	})
}

func matchesSlowly(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**":
		return matchesSlowly(pattern[1:], name) || len(name) > 0 && matchesSlowly(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return ok && err == nil && matchesSlowly(pattern[1:], name[1:])
}
