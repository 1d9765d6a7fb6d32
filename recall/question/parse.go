package question

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
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

// Parse makes a query of any text. It removes control characters, invalid UTF-8 and the
// time stamp of a host, and folds white space and full-width forms. It shortens a long text to its head and
// tail, and extracts the terms. The query's text is empty if nothing is left.
func Parse(text string) memory.Query {
	text = removeStamp(truncate(usualWidth(lang.Clean(text))))
	return memory.Query{Text: text, Terms: limitTerms(extractTerms(text))}
}

// WordQuery returns a query for words, which are in lower case.
func WordQuery(words []string) memory.Query {
	q := memory.Query{Text: strings.Join(words, " ")}
	for _, w := range words {
		q.Terms = append(q.Terms, memory.Term{Text: w, Kind: memory.TermWord})
	}
	return q
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

// widthForms matches words in full-width and half-width forms. Punctuation inside a word
// belongs to it: ＨＹＤ－３３１２.
var widthForms = lazyregexp.New(`[０-９Ａ-Ｚａ-ｚｦ-ﾟﾡ-ￜ]+(?:[－．＿／＠：][０-９Ａ-Ｚａ-ｚ]+)*`)

// usualWidth returns a text with the usual letters, digits and kana in place of
// full-width and half-width forms.
func usualWidth(text string) string {
	const first, last = '\uff10', '\uffdc'
	if !strings.ContainsFunc(text, func(r rune) bool { return first <= r && r <= last }) {
		return text
	}
	return widthForms().ReplaceAllStringFunc(text, norm.NFKC.String)
}
