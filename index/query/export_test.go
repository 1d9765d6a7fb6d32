package query

import "context"

// For tests that ask FTS5 itself.
var (
	MatchAny = matchAny
	BM25     = bm25
)

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
