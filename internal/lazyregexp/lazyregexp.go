// Package lazyregexp compiles a regular expression when it is first used. The program
// has hundreds of large ones, and most commands need none of them.
package lazyregexp

import (
	"errors"
	"regexp"
	"sync"
)

// texts are those of all expressions of the program, for [Check].
var texts []string

// New returns a function that returns the regular expression of a text, which its first call
// compiles. If the text is none, the call panics. Call New in the variables of a package only,
// which are made one after the other.
func New(text string) func() *regexp.Regexp {
	texts = append(texts, text)
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
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
