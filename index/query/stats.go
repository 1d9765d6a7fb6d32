package query

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// countFiles counts the indexed Markdown files. It leaves out files that could not
// be read: their rows have faults and no memory.
const countFiles = `SELECT count(*) FROM files f WHERE lower(f.path) LIKE '%.md' AND
	(f.faults = '[]' OR EXISTS (SELECT 1 FROM places p WHERE p.path = f.path))`

// Stats counts memories and files. For a part of the memories, it leaves out what tells
// of others, such as the size of the database. The caller adds what the index does not know:
// the workspace's name, the process, the embedder, the context at a time.
func (s *Searcher) Stats(ctx context.Context, of Counted) (all memory.Stats, err error) {
	all.Tiers, all.Types = map[memory.Tier]int{}, map[memory.Type]int{}
	err = s.db.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := countMemories(ctx, q, of, &all); err != nil {
			return err
		}
		if !of.isAll() {
			where, args := of.where()
			return q.One(ctx, "SELECT count(DISTINCT path) FROM visible WHERE true"+where, args, &all.Files)
		}
		if err := q.One(ctx, countFiles, nil, &all.Files); err != nil {
			return err
		}
		if err := q.One(ctx, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()", nil, &all.DBBytes); err != nil {
			return err
		}
		return q.Each(ctx, "SELECT key, value FROM meta WHERE key IN ('last_index', 'last_decay_run')", nil,
			func(scan func(...any) error) error {
				var key, value string
				err := scan(&key, &value)
				if at, bad := time.Parse(time.RFC3339Nano, value); bad == nil {
					*map[string]**time.Time{"last_index": &all.LastIndex, "last_decay_run": &all.LastDecayRun}[key] = &at
				}
				return err
			})
	})
	return all, sqlite.Wrap("count memories", err)
}

// countMemories counts the present memories by tier and type, including forgotten
// ones, and separately the missing ones.
func countMemories(ctx context.Context, q sqlite.Reader, of Counted, s *memory.Stats) error {
	// One pass with filters: GROUP BY would sort all rows first.
	query, to := "SELECT count(*), count(*) FILTER (WHERE do_not_inject), count(*) FILTER (WHERE pinned)", []any{&s.Total, &s.Forgotten, &s.Pinned}
	var args []any
	tiers, types := make([]int, len(memory.Tiers)), make([]int, len(memory.Types))
	for i, t := range memory.Tiers {
		query, args, to = query+", count(*) FILTER (WHERE tier = ?)", append(args, string(t)), append(to, &tiers[i])
	}
	for i, t := range memory.Types {
		query, args, to = query+", count(*) FILTER (WHERE memory_type = ?)", append(args, string(t)), append(to, &types[i])
	}
	where, more := of.where()
	if err := q.One(ctx, query+" FROM memories WHERE missing_since IS NULL"+where, append(args, more...), to...); err != nil {
		return err
	}
	for i, t := range memory.Tiers {
		s.Tiers[t] = tiers[i]
	}
	for i, t := range memory.Types {
		s.Types[t] = types[i]
	}
	if of.Model {
		return nil
	}
	where, more = of.whereUser()
	return q.One(ctx, "SELECT count(*) FROM memories WHERE missing_since IS NOT NULL"+where, more, &s.Missing)
}

// FirstSeen returns when the first memory was indexed; zero: there is none.
func (s *Searcher) FirstSeen(ctx context.Context) (time.Time, error) {
	var first sqlite.Millis
	err := s.db.Read().One(ctx, "SELECT coalesce(min(first_seen), 0) FROM memories", nil, &first)
	return first.Time(), sqlite.Wrap("read the age of the index", err)
}
