package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// Term is one search term, analysed.
type Term struct {
	Text       string   // as written: one word, an identifier or a bigram
	Tokens     []string // tokens that have to be adjacent in one column; never empty
	Prefix     bool     // the last token may be the beginning of a longer one
	PartsOnly  bool     // a bigram: it is in the column of parts alone
	Literal    string   // an identifier as written, in lower case; empty for other words
	Expansions []Expansion
}

// Expansion is another word that a term also matches.
type Expansion struct {
	Text   string // as written
	Token  string
	Weight float64 // at most 1, which the term itself has
}

// maxTerms limits the terms of a query, because each needs a walk through its own
// postings.
const maxTerms = 64

// CompileTerms analyses the terms of a query. It drops duplicates and terms without
// tokens, and keeps 64 at most.
func CompileTerms(terms []memory.Term) (compiled []Term) {
	type key struct {
		text              string
		prefix, partsOnly bool
	}
	seen := map[key]bool{}
	for _, t := range terms {
		for _, c := range compileTerm(t) {
			k := key{c.Text, c.Prefix, c.PartsOnly}
			if len(c.Tokens) > 0 && !seen[k] && len(compiled) < maxTerms {
				seen[k] = true
				compiled = append(compiled, c)
			}
		}
	}
	return compiled
}

// maxTermBytes is the part of a term that is analysed. Words and paths are shorter.
const maxTermBytes = 4096

func compileTerm(t memory.Term) (compiled []Term) {
	text := t.Text[:min(len(t.Text), maxTermBytes)]
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "\x00", " ")) {
		tokens := Tokens(word)
		if len(tokens) == 0 {
			for _, symbol := range symbolWords(word) {
				compiled = append(compiled, compileWord(symbol, Tokens(symbol), t.Kind, nil))
			}
			continue
		}
		runs := splitByScript(word)
		if len(runs) == 1 && !isUnspaced(firstRune(word)) {
			compiled = append(compiled, compileWord(word, tokens, t.Kind, t.Expansions))
			continue
		}
		for _, run := range runs {
			if isUnspaced(firstRune(run)) {
				compiled = append(compiled, compileBigrams(run)...)
			} else {
				compiled = append(compiled, compileWord(run, Tokens(run), t.Kind, nil))
			}
		}
	}
	return compiled
}

// minPrefix is the length in bytes from which the last token of an identifier
// matches longer tokens: commands show that many digits of an id.
const minPrefix = 4

// compileWord analyses a word or an identifier. An identifier may be the beginning
// of a longer one, and has no expansions.
func compileWord(word string, tokens []string, kind memory.TermKind, expansions []memory.Expansion) Term {
	t := Term{Text: word, Tokens: tokens}
	if kind != memory.TermIdentifier || len(t.Tokens) == 0 {
		if spelled, ok := withoutUmlauts(word); ok {
			expansions = append([]memory.Expansion{{Text: spelled, Weight: 1}}, expansions...)
		}
		t.Expansions = compileExpansions(t.Tokens, expansions)
		return t
	}
	t.Literal = strings.ToLower(word)
	t.Prefix = len(t.Tokens[len(t.Tokens)-1]) >= minPrefix
	return t
}

// compileExpansions analyses the expansions of a word with one token. It keeps each
// token once, with its highest weight, and drops the token of the word itself.
func compileExpansions(tokens []string, words []memory.Expansion) (expansions []Expansion) {
	if len(tokens) != 1 || len(words) == 0 {
		return nil
	}
	expansions = make([]Expansion, 0, len(words))
	for _, word := range words {
		token, n := "", 0
		for w := range Words(word.Text) {
			if t := Token(w); t != "" {
				token = t
				n++
			}
		}
		if n != 1 || token == tokens[0] {
			continue
		}
		if i := slices.IndexFunc(expansions, func(e Expansion) bool { return e.Token == token }); i >= 0 {
			expansions[i].Weight = max(expansions[i].Weight, word.Weight)
			continue
		}
		expansions = append(expansions, Expansion{word.Text, token, word.Weight})
	}
	return expansions
}

// compileBigrams returns the bigrams of a run of an unspaced script as terms. A
// single character is the beginning of a bigram.
func compileBigrams(run string) (terms []Term) {
	pairs := bigrams(run)
	if len(pairs) > 1 {
		pairs = pairs[:len(pairs)-1] // the last character alone is for the index
	}
	for _, pair := range pairs {
		terms = append(terms, Term{Text: pair, Tokens: Tokens(pair), PartsOnly: true, Prefix: utf8.RuneCountInString(pair) == 1})
	}
	return terms
}
