package recall

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// A question longer than maxRunes keeps its head and its tail, because people put
// the question before or after a pasted text. The default configuration truncates
// embedded texts to the same numbers.
const (
	maxRunes  = 6000
	headRunes = 500
)

// maxTerms bounds the cost of a keyword search. Half of the terms are reserved for
// identifiers, which are the most specific.
const maxTerms = 64

// Parse makes a query of any text. It removes control characters and invalid UTF-8,
// folds white space, shortens a long text to its head and tail, and extracts the
// terms. The query's text is empty if nothing is left.
func Parse(text string) memory.Query {
	text = truncate(clean(text))
	return memory.Query{Text: text, Terms: limitTerms(extractTerms(text))}
}

// clean returns the visible characters of a text in NFC, on one line.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(strings.Map(visibleRune, text)), " ")
}

// isClean is a quick test for most clean texts: printable ASCII with single spaces.
func isClean(text string) bool {
	previous := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && previous == ' ' {
			return false
		}
		previous = c
	}
	return previous != ' '
}

// visibleRune maps invisible characters to none and control characters to a space.
func visibleRune(r rune) rune {
	switch {
	case unicode.IsControl(r) || r == unicode.ReplacementChar || r == '\u2028' || r == '\u2029':
		return ' '
	case isInvisible(r):
		return -1
	}
	return r
}

// isInvisible reports whether r is a format, tag or variation character, which can
// hide text from a person but not from a model. Joiners are excepted, because emoji
// and some scripts need them.
func isInvisible(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.Is(unicode.Cf, r) || r >= 0xE0000 && r <= 0xE0FFF
}

// truncate shortens a text of more than maxRunes to its head and tail.
func truncate(text string) string {
	if len(text) <= maxRunes {
		return text
	}
	runes := []rune(text)
	if len(runes) <= maxRunes {
		return text
	}
	head, tail := runes[:headRunes], runes[len(runes)-(maxRunes-headRunes-1):]
	return string(head) + " " + string(tail)
}

// limitTerms removes repeated terms. Of more than maxTerms it keeps the first and the
// last, identifiers before words.
func limitTerms(all []memory.Term) []memory.Term {
	seen := map[string]bool{}
	var identifiers, words []memory.Term
	for _, t := range all {
		key := strings.ToLower(t.Text)
		switch {
		case seen[key]:
			continue
		case t.Kind == memory.TermIdentifier:
			identifiers = append(identifiers, t)
		default:
			words = append(words, t)
		}
		seen[key] = true
	}
	identifiers = headAndTail(identifiers, maxTerms/2)
	return append(identifiers, headAndTail(words, maxTerms-len(identifiers))...)
}

// headAndTail returns at most n terms: half from the head, half from the tail.
func headAndTail(list []memory.Term, n int) []memory.Term {
	if len(list) <= n {
		return list
	}
	kept := append([]memory.Term(nil), list[:n/2]...)
	return append(kept, list[len(list)-(n-n/2):]...)
}
