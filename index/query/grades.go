package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Grades returns the grades of the visible memories that have one.
func (s *Searcher) Grades(ctx context.Context) (map[memory.ID]memory.Grade, error) {
	found := map[memory.ID]memory.Grade{}
	err := s.db.Read().Each(ctx, `SELECT id, graded_importance, graded_label FROM memories
		WHERE missing_since IS NULL AND (graded_importance >= 0 OR graded_label <> '')`, nil,
		func(scan func(...any) error) error {
			var id memory.ID
			var g memory.Grade
			var importance float64
			err := scan(&id, &importance, &g.Label)
			if importance >= 0 {
				g.Importance = &importance
			}
			found[id] = g
			return err
		})
	return found, sqldb.Wrap("read grades", err)
}
