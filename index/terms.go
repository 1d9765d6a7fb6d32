package index

import (
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// maxLooked is how many things one query looks for at most: each costs a walk
// through its own list of matches.
const maxLooked = 64

// looked is one thing that a query looks for.
type looked struct {
	match  string   // as FTS5 is asked for it
	tokens []string // what has to be in a chunk for it, stemmed
	prefix bool     // the last token may go on
	exact  string   // an identifier as it stands, in lower case; empty for words
	idf    float64
}

// lookFor turns a query's terms into what FTS5 is asked for. Nothing of the
// user's goes through unquoted, so no query can be more than words.
func lookFor(terms []memory.Term) (out []looked) {
	seen := map[string]bool{}
	for _, t := range terms {
		for _, l := range lookForTerm(t) {
			if len(l.tokens) > 0 && !seen[l.match] && len(out) < maxLooked {
				seen[l.match] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// longestTerm is how much of one term is looked at: more than any word or path.
const longestTerm = 4096

func lookForTerm(t memory.Term) (out []looked) {
	text := t.Text[:min(len(t.Text), longestTerm)]
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "\x00", " ")) {
		runs := scriptRuns(word)
		spaced := len(runs) == 1 && !isUnspaced(first(word))
		if spaced {
			out = append(out, lookForWord(word, t.Kind))
			continue
		}
		for _, run := range runs {
			if isUnspaced(first(run)) {
				out = append(out, lookForPairs(run)...)
			} else {
				out = append(out, lookForWord(run, t.Kind))
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

// lookForWord asks for a word, or for an identifier's parts one after another;
// the identifier may be the beginning of a longer one.
func lookForWord(word string, kind memory.TermKind) looked {
	l := looked{match: quote(word), tokens: tokens(word)}
	if kind != memory.TermIdentifier || len(l.tokens) == 0 {
		return l
	}
	l.exact = strings.ToLower(word)
	if len(l.tokens[len(l.tokens)-1]) >= minPrefix {
		l.match, l.prefix = l.match+" *", true
	}
	return l
}

// lookForPairs asks for the pairs of characters that the index keeps of scripts
// without spaces; a single character is the beginning of a pair.
func lookForPairs(run string) (out []looked) {
	all := pairs(run)
	if len(all) > 1 {
		all = all[:len(all)-1] // the last character alone is for the index
	}
	for _, pair := range all {
		l := looked{match: "parts : " + quote(pair), tokens: tokens(pair)}
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
func expression(all []looked) string {
	parts := make([]string, len(all))
	for i, l := range all {
		parts[i] = l.match
	}
	return strings.Join(parts, " OR ")
}
