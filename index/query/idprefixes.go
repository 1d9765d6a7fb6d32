package query

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// IDPrefixes returns the shortest prefix of each id, of at least
// [memory.MinIDPrefix] digits, that names no other memory, missing and forgotten
// ones included. Prefixes have no hyphens. Unknown ids are left out.
func (s *Searcher) IDPrefixes(ctx context.Context, ids []memory.ID) (map[memory.ID]string, error) {
	prefixes := make(map[memory.ID]string, len(ids))
	if len(ids) == 0 {
		return prefixes, nil
	}
	// The ids before and after one in the order of the index share the most with it.
	err := s.db.Read().Each(ctx, `SELECT id,
			coalesce((SELECT max(id) FROM memories WHERE id < m.id), ''),
			coalesce((SELECT min(id) FROM memories WHERE id > m.id), '')
		FROM memories m WHERE id IN (SELECT value FROM json_each(?))`, []any{sqlite.JSONList(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var before, after string
			err := scan(&id, &before, &after)
			prefixes[id] = uniquePrefix(string(id), before, after)
			return err
		})
	return prefixes, sqlite.Wrap("shorten ids", err)
}

// uniquePrefix returns the digits of id up to the first that neither neighbour
// shares.
func uniquePrefix(id, before, after string) string {
	digits := strings.ReplaceAll(id, "-", "")
	n := memory.MinIDPrefix
	for _, neighbour := range []string{before, after} {
		n = max(n, 1+sharedPrefix(digits, strings.ReplaceAll(neighbour, "-", "")))
	}
	return digits[:min(n, len(digits))]
}

// sharedPrefix returns how many leading bytes two texts share.
func sharedPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
