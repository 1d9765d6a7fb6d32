package lazyregexp_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

func TestMethodsAreThoseOfTheCompiledExpression(t *testing.T) {
	const pattern, text = `(\w)=(\d+)`, "a=1, b=22"
	lazy, compiled := lazyregexp.New(pattern), regexp.MustCompile(pattern)
	for name, same := range map[string]bool{
		"MatchString":             lazy.MatchString(text) && !lazy.MatchString("a"),
		"FindString":              lazy.FindString(text) == "a=1",
		"FindStringSubmatch":      slices.Equal(lazy.FindStringSubmatch(text), compiled.FindStringSubmatch(text)),
		"FindAllStringIndex":      slices.EqualFunc(lazy.FindAllStringIndex(text, 1), compiled.FindAllStringIndex(text, 1), slices.Equal[[]int]),
		"FindStringIndex":         slices.Equal(lazy.FindStringIndex(text), compiled.FindStringIndex(text)),
		"FindStringSubmatchIndex": slices.Equal(lazy.FindStringSubmatchIndex(text), compiled.FindStringSubmatchIndex(text)),
		"ReplaceAllStringFunc":    lazy.ReplaceAllStringFunc(text, func(string) string { return "x" }) == "x, x",
		"ReplaceAllString":        lazy.ReplaceAllString(text, "$2") == "1, 22",
	} {
		if !same {
			t.Errorf("%s differs from the method of package regexp", name)
		}
	}
}

// TestInvalidPatternPanicsAtItsFirstUse proves that New compiles nothing.
func TestInvalidPatternPanicsAtItsFirstUse(t *testing.T) {
	broken := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an invalid pattern matched")
		}
	}()
	if lazyregexp.Check() == nil {
		t.Error("Check accepts it")
	}
	broken.MatchString("")
}
