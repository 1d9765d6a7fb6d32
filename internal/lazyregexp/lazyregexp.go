// Package lazyregexp compiles a regular expression when it is first used. The program
// has hundreds of large ones, and most commands need none of them.
package lazyregexp

import (
	"errors"
	"regexp"
	"sync"
)

// Regexp is a [regexp.Regexp] that is compiled when one of its methods is called.
type Regexp struct{ compiled func() *regexp.Regexp }

// texts are those of all expressions of the program, for [Check].
var texts []string

// New returns the regular expression of a text. If the text is none, the first use panics.
// Call it in the variables of a package only, which are made one after the other.
func New(text string) *Regexp {
	texts = append(texts, text)
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// Check compiles all expressions of the program, and returns what is wrong with them. A test
// calls it, because the start of the program compiles none.
func Check() (all error) {
	for _, text := range texts {
		_, err := regexp.Compile(text)
		all = errors.Join(all, err)
	}
	return all
}

// MatchString is [regexp.Regexp.MatchString].
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString is [regexp.Regexp.FindString].
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringSubmatch is [regexp.Regexp.FindStringSubmatch].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllStringIndex is [regexp.Regexp.FindAllStringIndex].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

// FindStringIndex is [regexp.Regexp.FindStringIndex].
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatchIndex is [regexp.Regexp.FindStringSubmatchIndex].
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// ReplaceAllStringFunc is [regexp.Regexp.ReplaceAllStringFunc].
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}
