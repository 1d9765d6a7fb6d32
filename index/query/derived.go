package query

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/sqlite"
)

// selectDerived selects what a language model found in the messages that some memories were
// captured from. A reference is a session and a key, or a key alone, and that of a derived memory may have several keys.
const selectDerived = `WITH source(session, key, user) AS (
		SELECT substr(source_ref, 1, instr(source_ref, ' ')), substr(source_ref, instr(source_ref, ' ') + 1), user
		FROM memories WHERE id IN (SELECT value FROM json_each(?1)) AND source_ref IS NOT NULL AND source_ref NOT LIKE '%' || ?2)
	SELECT DISTINCT m.id FROM source s JOIN memories m ON m.source_ref LIKE '%' || ?2 AND m.user = s.user
		AND substr(m.source_ref, 1, length(s.session)) = s.session AND instr(' ' || m.source_ref || ' ', ' ' || s.key || ' ') > 0
	ORDER BY m.id`

// WithDerived returns some memories, and those that a language model found in the messages that
// they were captured from.
func (s *Searcher) WithDerived(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	derived, err := sqlite.Column[memory.ID](ctx, s.db.Read(), selectDerived, sqlite.JSONList(ids), chunker.ByModel)
	derived = slices.DeleteFunc(derived, func(id memory.ID) bool { return slices.Contains(ids, id) })
	return append(slices.Clip(ids), derived...), sqlite.Wrap("read what was found in messages", err)
}

// CapturedFrom returns the memories that were captured from some messages, in whatever state, by
// their references.
func (s *Searcher) CapturedFrom(ctx context.Context, refs []string) (found []memory.Memory, err error) {
	err = s.db.Read().Each(ctx, "SELECT "+MemoryColumns+" FROM remembered WHERE source_ref IN (SELECT value FROM json_each(?)) ORDER BY id",
		[]any{sqlite.JSONList(refs)}, func(scan func(...any) error) error {
			m, err := ScanMemory(scan)
			found = append(found, m)
			return err
		})
	return found, sqlite.Wrap("read what was captured from messages", err)
}
