package recall

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// A question longer than maxRunes keeps its head and its tail: people put what
// they want to know before or after what they paste. The numbers are those of
// the text that is embedded.
const (
	maxRunes  = 6000
	headRunes = 500
)

// maxTerms bounds the keyword search that one question may cost; half of it is
// kept for identifiers, which say most.
const maxTerms = 64

// Parse makes a query of whatever was typed or pasted: NUL, control characters
// and broken UTF-8 go, white space is folded, a text that is too long keeps
// head and tail, and its terms are found. Text is empty where nothing is left.
func Parse(text string) memory.Query {
	text = truncate(clean(text))
	return memory.Query{Text: text, Terms: limitTerms(extractTerms(text))}
}

// clean keeps what people see of a text, on one line.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	return strings.Join(strings.Fields(strings.Map(visibleRune, text)), " ")
}

// isClean knows most texts that are: of printable ASCII, with single spaces.
func isClean(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' '
}

// visibleRune drops invisible characters and makes a space of control characters.
func visibleRune(r rune) rune {
	switch {
	case unicode.IsControl(r) || r == unicode.ReplacementChar || r == '\u2028' || r == '\u2029':
		return ' '
	case isInvisible(r):
		return -1
	}
	return r
}

// isInvisible says whether r shows nothing: format characters but the joiners
// that emoji and some scripts need, and the tag and variation characters in
// which text can be hidden from a person but not from a model.
func isInvisible(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.Is(unicode.Cf, r) || r >= 0xE0000 && r <= 0xE0FFF
}

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

// limitTerms keeps each term once, and of too many the first and the last.
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

// headAndTail is at most n of the list, half from its head and half from its tail.
func headAndTail(list []memory.Term, n int) []memory.Term {
	if len(list) <= n {
		return list
	}
	kept := append([]memory.Term(nil), list[:n/2]...)
	return append(kept, list[len(list)-(n-n/2):]...)
}
