package query

import (
	"context"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// IDPrefixes returns the shortest prefix of each id that names no other memory that
// the users of a view have, missing and forgotten ones included. It has at least
// [memory.MinIDPrefix] digits. What others have changes no prefix. Prefixes have no hyphens. Unknown ids are left out.
func (s *Searcher) IDPrefixes(ctx context.Context, ids []memory.ID, v memory.View) (map[memory.ID]string, error) {
	prefixes := make(map[memory.ID]string, len(ids))
	if len(ids) == 0 {
		return prefixes, nil
	}
	if all := s.live.allIDs(); all != nil && len(v.Users) == 0 {
		for _, id := range ids {
			if i, known := slices.BinarySearch(all, id); known {
				prefixes[id] = uniquePrefix(string(id), string(idAt(all, i-1)), string(idAt(all, i+1)))
			}
		}
		return prefixes, nil
	}
	ofUsers := memory.View{Users: v.Users}
	others, args := HiddenBy(ofUsers, TableRow("o"), ofUsers.Rules())
	err := s.db.Read().Each(ctx, `SELECT id,
			-- the ids before and after one share the most with it; 'g' follows every digit
			coalesce((SELECT max(id) FROM memories o WHERE id < m.id AND id >= substr(m.id, 1, ?) AND NOT (`+others+`)), ''),
			coalesce((SELECT min(id) FROM memories o WHERE id > m.id AND id < substr(m.id, 1, ?) || 'g' AND NOT (`+others+`)), '')
		FROM memories m WHERE id IN (SELECT value FROM json_each(?))`,
		slices.Concat([]any{memory.MinIDPrefix}, args, []any{memory.MinIDPrefix}, args, []any{sqldb.JSONList(ids)}),
		func(scan func(...any) error) error {
			var id memory.ID
			var before, after string
			err := scan(&id, &before, &after)
			prefixes[id] = uniquePrefix(string(id), before, after)
			return err
		})
	return prefixes, sqldb.Wrap("shorten ids", err)
}

// idAt returns the i-th of some ids, or the empty id.
func idAt(ids []memory.ID, i int) memory.ID {
	if i < 0 || i >= len(ids) {
		return ""
	}
	return ids[i]
}

// allIDs returns the ids of all memories, sorted, or nil while the in-memory index is not
// loaded. Missing and forgotten memories are among them. The list is never changed.
func (l *liveIndex) allIDs() []memory.ID {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.index == nil {
		return nil
	}
	return l.ids
}

// readIDs reads the ids of all memories, sorted.
func (s *Searcher) readIDs(ctx context.Context) (ids []memory.ID, err error) {
	err = s.db.Read().Each(ctx, "SELECT id FROM memories ORDER BY id", nil, appendID(&ids))
	return ids, err
}

// changedIDs returns the ids of all memories after some changed. It returns the same
// list if none came and none was deleted.
func (s *Searcher) changedIDs(ctx context.Context, all, changed []memory.ID) ([]memory.ID, error) {
	var existing []memory.ID
	err := s.db.Read().Each(ctx, "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", []any{sqldb.JSONList(changed)}, appendID(&existing))
	if err != nil {
		return nil, err
	}
	differs := slices.ContainsFunc(changed, func(id memory.ID) bool {
		_, before := slices.BinarySearch(all, id)
		_, after := slices.BinarySearch(existing, id)
		return before != after
	})
	if !differs {
		return all, nil
	}
	left := make(map[memory.ID]bool, len(changed))
	for _, id := range changed {
		left[id] = true
	}
	ids := make([]memory.ID, 0, len(all)+len(existing))
	for _, id := range all {
		for len(existing) > 0 && existing[0] < id {
			ids, existing = append(ids, existing[0]), existing[1:]
		}
		if !left[id] {
			ids = append(ids, id)
		}
	}
	return append(ids, existing...), nil
}

func appendID(to *[]memory.ID) func(scan func(...any) error) error {
	return func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		*to = append(*to, id)
		return err
	}
}

// uniquePrefix returns the digits of id up to the first that neither neighbour
// shares.
func uniquePrefix(id, before, after string) string {
	n := max(memory.MinIDPrefix, 1+sharedDigits(id, before), 1+sharedDigits(id, after))
	if n <= len(id) && !strings.Contains(id[:n], "-") {
		return id[:n]
	}
	digits := strings.ReplaceAll(id, "-", "")
	return digits[:min(n, len(digits))]
}

// sharedDigits returns how many leading digits two ids share.
func sharedDigits(a, b string) (n int) {
	for ; ; n++ {
		a, b = strings.TrimPrefix(a, "-"), strings.TrimPrefix(b, "-")
		if a == "" || b == "" || a[0] != b[0] {
			return n
		}
		a, b = a[1:], b[1:]
	}
}
