package index

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// maxTerms is how many things one query looks for at most: each costs a walk
// through its own list of matches.
const maxTerms = 64

// term is one thing that a query looks for.
type term struct {
	match      string      // as FTS5 is asked for it
	tokens     []string    // what has to be in a chunk for it, stemmed
	prefix     bool        // the last token may go on
	exact      string      // an identifier as it stands, in lower case; empty for words
	expansions []expansion // tokens that count as well, a word each
	idf        float64
}

// expansion is a word that counts for another, and how much.
type expansion struct {
	word, token string // as written, and stemmed
	weight      float64
}

// compileTerms turns a query's terms into what FTS5 is asked for. Nothing of the
// user's goes through unquoted, so no query can be more than words.
func compileTerms(terms []memory.Term) (out []term) {
	seen := map[string]bool{}
	for _, t := range terms {
		for _, l := range compileTerm(t) {
			if len(l.tokens) > 0 && !seen[l.match] && len(out) < maxTerms {
				seen[l.match] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// maxTermBytes is how much of one term is looked at: more than any word or path.
const maxTermBytes = 4096

func compileTerm(t memory.Term) (out []term) {
	text := t.Text[:min(len(t.Text), maxTermBytes)]
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "\x00", " ")) {
		runs := splitByScript(word)
		spaced := len(runs) == 1 && !isUnspaced(first(word))
		if spaced {
			out = append(out, compileWord(word, t.Kind, t.Expansions))
			continue
		}
		for _, run := range runs {
			if isUnspaced(first(run)) {
				out = append(out, compileBigrams(run)...)
			} else {
				out = append(out, compileWord(run, t.Kind, nil))
			}
		}
	}
	return out
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// minPrefix is how long an identifier's last part must be for longer ones to
// be found by it: the digits of an id that people see.
const minPrefix = 4

// compileWord asks for a word, or for an identifier's parts one after another;
// the identifier may be the beginning of a longer one.
func compileWord(word string, kind memory.TermKind, alike []memory.Expansion) term {
	l := term{match: quote(word), tokens: tokens(word)}
	if kind != memory.TermIdentifier || len(l.tokens) == 0 {
		l.expansions = compileExpansions(l.tokens, alike)
		return l
	}
	l.exact = strings.ToLower(word)
	if len(l.tokens[len(l.tokens)-1]) >= minPrefix {
		l.match, l.prefix = l.match+" *", true
	}
	return l
}

// compileExpansions gives the tokens of the words that count for one, each once and with the
// most that it counts; what is the same token anyway is left out.
func compileExpansions(tokensOf []string, words []memory.Expansion) (out []expansion) {
	if len(tokensOf) != 1 {
		return nil
	}
	at := map[string]int{tokensOf[0]: -1}
	for _, w := range words {
		t := tokens(w.Text)
		if len(t) != 1 {
			continue
		}
		i, seen := at[t[0]]
		switch {
		case !seen:
			at[t[0]] = len(out)
			out = append(out, expansion{w.Text, t[0], w.Weight})
		case i >= 0:
			out[i].weight = max(out[i].weight, w.Weight)
		}
	}
	return out
}

// compileBigrams asks for the pairs of characters that the index keeps of scripts
// without spaces; a single character is the beginning of a pair.
func compileBigrams(run string) (out []term) {
	all := bigrams(run)
	if len(all) > 1 {
		all = all[:len(all)-1] // the last character alone is for the index
	}
	for _, pair := range all {
		l := term{match: "parts : " + quote(pair), tokens: tokens(pair)}
		if utf8.RuneCountInString(pair) == 1 {
			l.match, l.prefix = l.match+" *", true
		}
		out = append(out, l)
	}
	return out
}

// quote makes a string of FTS5's query language.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// expression asks for any of them.
func expression(all []term) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, l.match)
		for _, a := range l.expansions {
			parts = append(parts, quote(a.word))
		}
	}
	return strings.Join(parts, " OR ")
}
