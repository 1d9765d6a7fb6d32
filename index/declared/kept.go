package declared

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqlite"
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
	ids, err = sqlite.Column[memory.ID](ctx, s.sql.Read(), query)
	return ids, sqlite.Wrap("read decisions", err)
}

// InheritedDecisions counts the present memories with a decision whose line is in no
// file any more.
func (s *Reader) InheritedDecisions(ctx context.Context) (int, error) {
	n, err := s.inherited.Get(s.sql, func() (n int, err error) {
		err = s.sql.Read().One(ctx, "SELECT count(*) FROM memories WHERE (inherited <> '{}' OR held <> '{}') AND missing_since IS NULL", nil, &n)
		return n, err
	})
	return n, sqlite.Wrap("count decisions", err)
}

// KeptForgettings lists the decisions to forget a memory that no file contains.
func (s *Reader) KeptForgettings(ctx context.Context) (kept []memory.KeptForgetting, err error) {
	err = s.sql.Read().Each(ctx, `SELECT m.id, m.text, coalesce(p.path, m.last_path, ''), m.missing_since IS NOT NULL, `+query.TextUser+`
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id
		WHERE m.id IN (SELECT id FROM memories WHERE sidecar <> '{}' AND json_extract(sidecar, '$.forgotten')
			UNION SELECT id FROM memories WHERE inherited <> '{}' AND json_extract(inherited, '$.forgotten'))
		AND m.do_not_inject ORDER BY m.id`, nil, func(scan func(...any) error) error {
		var k memory.KeptForgetting
		err := scan(&k.ID, &k.Text, &k.Path, &k.Missing, &k.User)
		kept = append(kept, k)
		return err
	})
	return kept, sqlite.Wrap("read kept decisions", err)
}

// KeptDoubts lists the present memories that may be the text of a forgotten one whose
// decision was in no file. It leaves out those about which somebody has decided.
func (s *Reader) KeptDoubts(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqlite.Column[memory.ID](ctx, s.sql.Read(), `SELECT DISTINCT d.memory_id FROM doubts d JOIN places p ON p.memory_id = d.memory_id
		LEFT JOIN memories m ON m.id = d.forgotten WHERE coalesce(m.do_not_inject, 1)
		AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.about = d.memory_id AND json_extract(e.declared, '$.forgotten') IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM memories o WHERE o.id = d.memory_id AND json_extract(o.sidecar, '$.forgotten') IS NOT NULL)
		ORDER BY d.memory_id`)
	return ids, sqlite.Wrap("read doubts", err)
}
