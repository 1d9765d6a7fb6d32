package query

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/sqldb"
)

// selectSources selects the texts that some memories have and had, and what they were captured
// from, with their users.
const selectSources = `SELECT fingerprint, '', '' FROM memories WHERE id IN (SELECT value FROM json_each(?1))
	UNION SELECT fingerprint, '', '' FROM past_fingerprints WHERE memory_id IN (SELECT value FROM json_each(?1))
	UNION SELECT fingerprint, source_ref, user FROM memories WHERE id IN (SELECT value FROM json_each(?1)) AND source_ref IS NOT NULL`

// WithDerived returns some memories, those that a language model derived from them, and so on.
func (s *Searcher) WithDerived(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	sources := map[string]bool{}
	err := s.db.Read().Each(ctx, selectSources, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		var f sqldb.Hash
		var ref, user string
		err := scan(&f, &ref, &user)
		sources[chunker.TextRef(memory.Fingerprint(f))], sources[chunker.MessageRef(ref, user)] = true, true
		return err
	})
	if err != nil {
		return nil, sqldb.Wrap("read the sources of derived memories", err)
	}
	all := slices.Clone(ids)
	err = s.db.Read().Each(ctx, "SELECT id, source_ref, user FROM memories WHERE source_ref LIKE '%"+chunker.ByModel+"' ORDER BY id", nil, func(scan func(...any) error) error {
		var id memory.ID
		var ref, user string
		err := scan(&id, &ref, &user)
		isFrom := func(source string) bool { return sources[source] }
		if !slices.Contains(ids, id) && slices.ContainsFunc(chunker.SourcesOf(ref, user), isFrom) {
			all = append(all, id)
		}
		return err
	})
	if err != nil || len(all) == len(ids) {
		return all, sqldb.Wrap("read derived memories", err)
	}
	return s.WithDerived(ctx, all)
}

// CapturedFrom returns the memories that were captured from some messages, in whatever state, by
// their references.
func (s *Searcher) CapturedFrom(ctx context.Context, refs []string) (found []memory.Memory, err error) {
	err = s.db.Read().Each(ctx, "SELECT "+MemoryColumns+" FROM remembered WHERE source_ref IN (SELECT value FROM json_each(?)) ORDER BY id",
		[]any{sqldb.JSONList(refs)}, func(scan func(...any) error) error {
			m, err := ScanMemory(scan)
			found = append(found, m)
			return err
		})
	return found, sqldb.Wrap("read what was captured from messages", err)
}
