package query

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/text"
)

// BM25 is FTS5's ranking function with the weights of the columns text, context and parts.
const BM25 = "bm25(memories_fts, 1.0, 0.4, 0.5)"

// MatchAny matches any of some terms and their expansions in FTS5.
func MatchAny(terms []text.Term) string {
	var matches []string
	for i := range terms {
		matches = append(matches, sqlite.MatchFTS5(match(&terms[i])))
		for _, e := range terms[i].Expansions {
			matches = append(matches, sqlite.MatchFTS5(matchExpansion(e)))
		}
	}
	return strings.Join(matches, " OR ")
}

// KnownQueries are the queries of [Searcher.Known].
var KnownQueries = []string{selectKnown, selectKnownTexts, selectPastPlaces}

// PlanOf returns the steps of a query as SQLite plans them.
func (s *Searcher) PlanOf(ctx context.Context, query string, args ...any) (steps []string, err error) {
	err = s.db.Read().Each(ctx, "EXPLAIN QUERY PLAN "+query, args, func(scan func(...any) error) error {
		var id, parent, unused int
		var step string
		err := scan(&id, &parent, &unused, &step)
		steps = append(steps, step)
		return err
	})
	return steps, err
}
