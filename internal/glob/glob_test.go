package glob_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"notes.md", "notes.md", true},
		{"./notes.md", "notes.md", true},
		{"notes.md", "notes.md.bak", false},
		{"memory", "memory/a.md", true},
		{"memory/", "memory/a.md", true},
		{"memory", "memory2/a.md", false},
		{"*.md", "a.md", true},
		{"*.md", "memory/a.md", false},
		{"memory/*", "memory/a.md", true},
		{"memory/*", "memory/x/a.md", false},
		{"**/a.md", "a.md", true},
		{"**/a.md", "memory/x/a.md", true},
		{"memory/**", "memory/x/a.md", true},
		{"memory/**.md", "memory/x/a.md", false}, // ** is a segment of its own
		{"memory/**/*.md", "memory/x/y/a.md", true},
		{"a?.md", "ab.md", true},
		{"a?.md", "a/.md", false},
		{"[ab].md", "b.md", true},
		{"[!ab].md", "b.md", false},
		{"[a-c].md", "b.md", true},
		{"[z-a].md", "b.md", false},
		{"[z-a].md", "[z-a].md", true},
		{"a+b(c).md", "a+b(c).md", true},
		{"a.m*", "axmd", false},
		{"[", "[", true},
		{"", "a.md", false},
	} {
		if got := glob.Compile(c.pattern).Match(c.path); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.path, got, c.want)
		}
	}
}

func TestParseNamesThePositionOfAMistake(t *testing.T) {
	for pattern, want := range map[string]string{
		"memory/**/*.md": "", "[ab].md": "", "[[]draft].md": "", "": "",
		"memory/[a/b]": `"[a" at character 8 cannot be matched`,
		"é/[z-a":       `"[z-a" at character 3 cannot be matched`,
	} {
		got := ""
		if _, err := glob.Parse(pattern); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}
