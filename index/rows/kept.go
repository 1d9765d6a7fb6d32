package rows

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// PendingDecisions lists the memories with a decision that is in no file yet, by id.
// They include memories whose text is in no file any more.
func (s *Reader) PendingDecisions(ctx context.Context) (ids []memory.ID, err error) {
	return s.memoriesOf(ctx, SelectPending)
}

// KeptDecisions lists the memories with a decision whose line was lost with its file,
// by id.
func (s *Reader) KeptDecisions(ctx context.Context) (ids []memory.ID, err error) {
	return s.memoriesOf(ctx, SelectKept)
}

// The queries of PendingDecisions and KeptDecisions.
const (
	SelectPending = `SELECT id FROM memories WHERE sidecar <> '{}' AND json_remove(sidecar, '$.revoked') <> '{}' ORDER BY id`
	SelectKept    = `SELECT id FROM memories WHERE inherited <> '{}' ORDER BY id`
)

// memoriesOf lists the memories that a query selects.
func (s *Reader) memoriesOf(ctx context.Context, query string) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, s.sql.Read(), query)
	return ids, sqldb.Wrap("read decisions", err)
}

// InheritedDecisions counts the present memories with a decision whose line is in no
// file any more.
func (s *Reader) InheritedDecisions(ctx context.Context) (int, error) {
	n, err := s.inherited.Get(s.sql, func() (n int, err error) {
		err = s.sql.Read().One(ctx, "SELECT count(*) FROM memories WHERE (inherited <> '{}' OR held <> '{}') AND missing_since IS NULL", nil, &n)
		return n, err
	})
	return n, sqldb.Wrap("count decisions", err)
}
