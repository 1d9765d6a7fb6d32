package unit

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// windows returns the command line that the service manager of Windows keeps. There is
// no file with a definition.
func windows(s Spec) string {
	words := []string{windowsQuote(s.Binary)}
	for _, argument := range s.Arguments() {
		words = append(words, windowsQuote(argument))
	}
	return strings.Join(words, " ") + "\n"
}

var (
	beforeQuote = lazyregexp.New(`(\\*)"`)
	atEnd       = lazyregexp.New(`(\\*)$`)
)

// windowsQuote quotes a word as programs on Windows read it: a backslash is doubled
// only before a double quote.
func windowsQuote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	word = beforeQuote().ReplaceAllString(word, `$1$1\"`)
	return `"` + atEnd().ReplaceAllString(word, `$1$1`) + `"`
}
