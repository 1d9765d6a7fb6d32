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
	shortestTypo = 4
	longWord     = 8
	maxTypos     = 3 // words that one may be an error of
)

var typoWeight = [...]float64{1: 0.8, 2: 0.6}

// vocabulary is what tokens the index holds.
type vocabulary interface {
	holds(ctx context.Context, token string) (bool, error)
	startingWith(ctx context.Context, letter string, give func(token string, chunks int)) error
}

// correct adds to each word that nothing holds those that it may be an error of.
func correct(ctx context.Context, v vocabulary, terms []looked) error {
	for i := range terms {
		t := &terms[i]
		if len(t.tokens) != 1 || t.exact != "" || t.prefix || strings.HasPrefix(t.match, "parts") || utf8.RuneCountInString(t.tokens[0]) < shortestTypo {
			continue
		}
		known, err := isKnown(ctx, v, t)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		found, err := resembling(ctx, v, t.tokens[0])
		if err != nil {
			return err
		}
		t.alike = append(t.alike, found...)
	}
	return nil
}

func isKnown(ctx context.Context, v vocabulary, t *looked) (bool, error) {
	known, err := v.holds(ctx, t.tokens[0])
	for _, a := range t.alike {
		if err != nil || known {
			break
		}
		known, err = v.holds(ctx, a.token)
	}
	return known, err
}

func resembling(ctx context.Context, v vocabulary, token string) ([]akin, error) {
	type likely struct {
		akin
		distance, chunks int
	}
	var all []likely
	most := 1
	if utf8.RuneCountInString(token) >= longWord {
		most = 2
	}
	letters := []rune(token)
	err := v.startingWith(ctx, string(letters[0]), func(other string, chunks int) {
		d := distance(letters, []rune(other), most)
		if d <= most && stem(other) == other { // else FTS5 would look for another
			all = append(all, likely{akin{other, other, typoWeight[d]}, d, chunks})
		}
	})
	slices.SortFunc(all, func(a, b likely) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.chunks, a.chunks), cmp.Compare(a.token, b.token))
	})
	var found []akin
	for _, l := range all[:min(maxTypos, len(all))] {
		found = append(found, l.akin)
	}
	return found, err
}

// distance is how many letters have to be added, left out, exchanged or swapped
// with their neighbour to make b of a; more than most is most+1.
func distance(a, b []rune, most int) int {
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

func (s *shelf) holds(_ context.Context, token string) (bool, error) {
	id, known := s.ids[token]
	return known && s.held[id] > 0, nil
}

func (s *shelf) startingWith(_ context.Context, letter string, give func(string, int)) error {
	for id, word := range s.words {
		if s.held[id] > 0 && strings.HasPrefix(word, letter) {
			give(word, int(s.held[id]))
		}
	}
	return nil
}

// tokenTable is the vocabulary as FTS5 has it.
type tokenTable struct{ *DB }

func (t tokenTable) holds(ctx context.Context, token string) (bool, error) {
	n := 0
	err := t.sql.Read().Each(ctx, "SELECT doc FROM memories_fts_words WHERE term = ?", []any{token}, func(scan func(...any) error) error { return scan(&n) })
	return n > 0, err
}

func (t tokenTable) startingWith(ctx context.Context, letter string, give func(string, int)) error {
	return t.sql.Read().Each(ctx, "SELECT term, doc FROM memories_fts_words WHERE term >= ? AND term < ?", []any{letter, letter + string(utf8.MaxRune)},
		func(scan func(...any) error) error {
			var term string
			var chunks int
			err := scan(&term, &chunks)
			give(term, chunks)
			return err
		})
}
