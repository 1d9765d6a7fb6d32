package text

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"
)

// A word that the index does not contain, nor any of its expansions, is taken for a
// typing error. Words that differ by one letter, or two in long words, become its
// expansions. The first letter must be equal: it is seldom wrong. Short words are
// left alone, because too many words resemble them.
const (
	minTypoLength  = 4 // characters of a token
	longTypoLength = 8 // from here on two letters may differ
	maxCorrections = 3 // for one word
)

// typoWeight is the weight of a correction by its edit distance. It is lower than
// that of a word which the query contains.
var typoWeight = [...]float64{1: 0.8, 2: 0.6}

// Vocabulary knows the tokens of an index.
type Vocabulary interface {
	// Contains reports whether any chunk contains a token.
	Contains(ctx context.Context, token string) (bool, error)
	// EachWithPrefix calls yield for each token with a prefix, with its document
	// frequency. It may include tokens that Contains does not.
	EachWithPrefix(ctx context.Context, prefix string, yield func(token string, docFreq int)) error
}

// CorrectTypos adds corrections to the expansions of each term that is probably a
// typing error. It splits the codes that the index does not contain.
func CorrectTypos(ctx context.Context, v Vocabulary, terms []Term) error {
	for i := range terms {
		t := &terms[i]
		if err := splitCode(ctx, v, t); err != nil {
			return err
		}
		if !t.correctable() {
			continue
		}
		known, err := isKnown(ctx, v, t)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		found, err := corrections(ctx, v, t.Tokens[0])
		if err != nil {
			return err
		}
		t.Expansions = append(t.Expansions, found...)
	}
	return nil
}

// correctable reports whether a term is one plain word of enough characters.
func (t *Term) correctable() bool {
	return len(t.Tokens) == 1 && t.Literal == "" && !t.Prefix && !t.PartsOnly && utf8.RuneCountInString(t.Tokens[0]) >= minTypoLength
}

// isKnown reports whether the vocabulary contains a term or one of its expansions.
func isKnown(ctx context.Context, v Vocabulary, t *Term) (bool, error) {
	known, err := v.Contains(ctx, t.Tokens[0])
	for _, e := range t.Expansions {
		if err != nil || known {
			break
		}
		known, err = v.Contains(ctx, e.Token)
	}
	return known, err
}

// corrections returns the tokens that resemble a token most. Of equal edit distances
// the more frequent token comes first.
func corrections(ctx context.Context, v Vocabulary, token string) ([]Expansion, error) {
	type similar struct {
		Expansion
		distance, docFreq int
	}
	var all []similar
	limit := 1
	if utf8.RuneCountInString(token) >= longTypoLength {
		limit = 2
	}
	letters := []rune(token)
	err := v.EachWithPrefix(ctx, string(letters[0]), func(other string, docFreq int) {
		d := editDistance(letters, []rune(other), limit)
		if d <= limit && stem(other) == other { // FTS5 stems the word of a query: it would search another token
			all = append(all, similar{Expansion{other, other, typoWeight[d]}, d, docFreq})
		}
	})
	slices.SortFunc(all, func(a, b similar) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.docFreq, a.docFreq), cmp.Compare(a.Token, b.Token))
	})
	var found []Expansion
	for _, s := range all {
		if err != nil || len(found) == maxCorrections {
			break
		}
		var contains bool
		if contains, err = v.Contains(ctx, s.Token); contains {
			found = append(found, s.Expansion)
		}
	}
	return found, err
}

// editDistance returns how many letters have to be added, removed, replaced or
// swapped with a neighbour to turn a into b. It returns limit+1 for more than limit.
func editDistance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	twoBack, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		lowest := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoBack[j-1]+1)
			}
			lowest = min(lowest, row[j+1])
		}
		if lowest > limit {
			return limit + 1
		}
		twoBack, last, row = last, row, twoBack
	}
	return last[len(b)]
}
