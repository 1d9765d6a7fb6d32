package query

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// countFiles counts the indexed files, without the one of decisions. It leaves out files that could not
// be read: their rows have faults and no memory.
const countFiles = `SELECT count(*) FROM files f WHERE lower(f.path) NOT LIKE '%.yaml' AND
	(f.faults = '[]' OR EXISTS (SELECT 1 FROM places p WHERE p.path = f.path))`

// countAllFiles counts the indexed Markdown files. It counts them again after a commit.
func (s *Searcher) countAllFiles(ctx context.Context) (int, error) {
	return s.files.Get(s.db, func() (n int, err error) {
		err = s.db.Read().One(ctx, "SELECT ("+countFiles+")", nil, &n)
		return n, err
	})
}

// Totals returns the numbers of present memories and of indexed Markdown files.
func (s *Searcher) Totals(ctx context.Context) (memories, files int, err error) {
	files, err = s.countAllFiles(ctx)
	if err == nil { // from indexes alone
		err = s.db.Read().One(ctx, "SELECT (SELECT count(*) FROM memories) - (SELECT count(*) FROM memories WHERE missing_since IS NOT NULL)", nil, &memories)
	}
	return memories, files, sqldb.Wrap("count memories", err)
}

// Stats counts memories and files. For a part of the memories, it leaves out what tells
// of others, such as the size of the database. The caller adds what the index does not know:
// the workspace's name, the process, the embedder, the context at a time.
func (s *Searcher) Stats(ctx context.Context, of Counted) (all memory.Stats, err error) {
	found, err := s.countMemories(ctx, of)
	if found.addTo(&all); err == nil && of.isAll() {
		err = s.addIndex(ctx, &all)
	} else if err == nil {
		where, args := of.where()
		err = s.db.Read().One(ctx, "SELECT count(DISTINCT path) FROM visible WHERE true"+where, args, &all.Files)
	}
	return all, sqldb.Wrap("count memories", err)
}

// addIndex adds what the tables tell of the index as a whole.
func (s *Searcher) addIndex(ctx context.Context, all *memory.Stats) error {
	var err error
	if all.Files, err = s.countAllFiles(ctx); err != nil {
		return err
	}
	if all.DBBytes, err = s.db.Size(ctx); err != nil {
		return err
	}
	return s.db.Read().Each(ctx, "SELECT key, value FROM meta WHERE key IN ('last_index', 'last_decay_run')", nil,
		func(scan func(...any) error) error {
			var key, value string
			err := scan(&key, &value)
			if at, bad := time.Parse(time.RFC3339Nano, value); bad == nil {
				*map[string]**time.Time{"last_index": &all.LastIndex, "last_decay_run": &all.LastDecayRun}[key] = &at
			}
			return err
		})
}

// FirstSeen returns when the first memory was indexed; zero: there is none.
func (s *Searcher) FirstSeen(ctx context.Context) (time.Time, error) {
	var first sqldb.Millis
	err := s.db.Read().One(ctx, "SELECT coalesce(min(first_seen), 0) FROM memories", nil, &first)
	return first.Time(), sqldb.Wrap("read the age of the index", err)
}
