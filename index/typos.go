package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// A word that nothing holds, nor anything alike, is taken for a typing error of
// one that differs by few letters: one, or two of a long word. A first letter is
// seldom wrong, and short words resemble too many. What it counts for is less
// than any word that was meant.
const (
	minTypoLength  = 4
	twoErrorLength = 8
	maxCorrections = 3 // words that one may be an error of
)

var typoWeight = [...]float64{1: 0.8, 2: 0.6}

// tokenSource is what tokens the index holds.
type tokenSource interface {
	contains(ctx context.Context, token string) (bool, error)
	eachWithPrefix(ctx context.Context, letter string, give func(token string, chunks int)) error
}

// correctTypos adds to each word that nothing holds those that it may be an error of.
func correctTypos(ctx context.Context, v tokenSource, terms []term) error {
	for i := range terms {
		t := &terms[i]
		if len(t.tokens) != 1 || t.exact != "" || t.prefix || strings.HasPrefix(t.match, "parts") || utf8.RuneCountInString(t.tokens[0]) < minTypoLength {
			continue
		}
		known, err := isKnown(ctx, v, t)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		found, err := corrections(ctx, v, t.tokens[0])
		if err != nil {
			return err
		}
		t.expansions = append(t.expansions, found...)
	}
	return nil
}

func isKnown(ctx context.Context, v tokenSource, t *term) (bool, error) {
	known, err := v.contains(ctx, t.tokens[0])
	for _, a := range t.expansions {
		if err != nil || known {
			break
		}
		known, err = v.contains(ctx, a.token)
	}
	return known, err
}

func corrections(ctx context.Context, v tokenSource, token string) ([]expansion, error) {
	type likely struct {
		expansion
		distance, chunks int
	}
	var all []likely
	most := 1
	if utf8.RuneCountInString(token) >= twoErrorLength {
		most = 2
	}
	letters := []rune(token)
	err := v.eachWithPrefix(ctx, string(letters[0]), func(other string, chunks int) {
		d := editDistance(letters, []rune(other), most)
		if d <= most && stem(other) == other { // else FTS5 would look for another
			all = append(all, likely{expansion{other, other, typoWeight[d]}, d, chunks})
		}
	})
	slices.SortFunc(all, func(a, b likely) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.chunks, a.chunks), cmp.Compare(a.token, b.token))
	})
	var found []expansion
	for _, l := range all[:min(maxCorrections, len(all))] {
		found = append(found, l.expansion)
	}
	return found, err
}

// editDistance is how many letters have to be added, left out, exchanged or swapped
// with their neighbour to make b of a; more than most is most+1.
func editDistance(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func (x *searchIndex) contains(_ context.Context, token string) (bool, error) {
	id, known := x.ids[token]
	return known && x.docFreq[id] > 0, nil
}

func (x *searchIndex) eachWithPrefix(_ context.Context, letter string, give func(string, int)) error {
	for id, word := range x.tokens {
		if x.docFreq[id] > 0 && strings.HasPrefix(word, letter) {
			give(word, int(x.docFreq[id]))
		}
	}
	return nil
}

// ftsVocabulary is the vocabulary as FTS5 has it.
type ftsVocabulary struct{ *DB }

func (t ftsVocabulary) contains(ctx context.Context, token string) (bool, error) {
	n := 0
	err := t.sql.Read().Each(ctx, "SELECT doc FROM memories_fts_words WHERE term = ?", []any{token}, func(scan func(...any) error) error { return scan(&n) })
	return n > 0, err
}

func (t ftsVocabulary) eachWithPrefix(ctx context.Context, letter string, give func(string, int)) error {
	return t.sql.Read().Each(ctx, "SELECT term, doc FROM memories_fts_words WHERE term >= ? AND term < ?", []any{letter, letter + string(utf8.MaxRune)},
		func(scan func(...any) error) error {
			var term string
			var chunks int
			err := scan(&term, &chunks)
			give(term, chunks)
			return err
		})
}
