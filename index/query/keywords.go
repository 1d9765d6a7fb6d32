package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
)

// match returns a term without its expansions.
func match(t *text.Term) sqldb.Match {
	return sqldb.Match{Text: t.Text, Tokens: t.Tokens, Prefix: t.Prefix, PartsOnly: t.PartsOnly}
}

// matchExpansion returns another word that a term matches.
func matchExpansion(e text.Expansion) sqldb.Match {
	return sqldb.Match{Text: e.Text, Tokens: []string{e.Token}}
}

// A query that finds nothing else searches for up to maxSubstrings of its identifiers
// inside longer words. Each of them takes a scan of all texts. Shorter strings than
// minSubstring are in too many texts; longer ones than maxSubstring are no
// identifiers.
const (
	maxSubstrings = 4
	minSubstring  = 3
	maxSubstring  = 200
)

// likePattern matches texts that contain s.
func likePattern(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// addSubstringHits adds memories that contain an identifier of the query inside a longer
// word, where no token begins: "7e44" in "9c01aa7e44f1". They come before those that were
// found without words. Their score is the share of the terms that they contain so.
func (s *Searcher) addSubstringHits(ctx context.Context, r request, found []memory.Signals) ([]memory.Signals, error) {
	p, err := s.listForgotten(ctx, r.predicate)
	if errors.Is(err, errMatchesNothing) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	f, shares := compile(p), map[memory.ID]float64{}
	var ids []memory.ID
	for _, literal := range substrings(r.terms) {
		if err := s.db.Read().Each(ctx, `SELECT DISTINCT memory_id FROM chunks WHERE text LIKE ? ESCAPE '\' AND memory_id IN (`+f.ids()+`) LIMIT ?`,
			append(append([]any{likePattern(literal)}, f.args...), r.k), func(scan func(...any) error) error {
				var id memory.ID
				err := scan(&id)
				if shares[id] == 0 {
					ids = append(ids, id)
				}
				shares[id] += 1 / float64(len(r.terms))
				return err
			}); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(ids, func(a, b memory.ID) int { return cmp.Compare(shares[b], shares[a]) })
	var all []memory.Signals
	for _, id := range ids[:min(r.k, len(ids))] {
		share := shares[id]
		all = append(all, memory.Signals{Candidate: memory.Candidate{ID: id, Raw: share, Score: search.KeywordScore(share, share)}, Context: share, Coverage: share})
	}
	for _, s := range found {
		if shares[s.ID] == 0 {
			all = append(all, s)
		}
	}
	return all, nil
}

// substrings returns the identifiers of a query that are searched for inside words.
func substrings(terms []text.Term) (literals []string) {
	for _, t := range terms {
		if n := utf8.RuneCountInString(t.Literal); n >= minSubstring && n <= maxSubstring && len(literals) < maxSubstrings {
			literals = append(literals, t.Literal)
		}
	}
	return literals
}
