package query

import (
	"context"
	"sync"

	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/tally"
)

// liveTally is the tally of all memories. It is read once, and follows every commit.
type liveTally struct {
	mu       sync.Mutex
	tally    *tally.Tally // nil: not read yet
	revision int64        // of the tables that the tally equals
	followed int64        // the last revision that Count got
}

// Count adds what a transaction changed, and its revision. The database calls it after each
// commit of a change of memories, before the writer learns of it. After a revision that
// it did not get, as that of a commit that failed on disk, all memories are counted again.
func (s *Searcher) Count(changed *tally.Tally, revision int64) {
	l := &s.tally
	l.mu.Lock()
	defer l.mu.Unlock()
	l.followed = revision
	switch {
	case l.tally == nil || revision == l.revision: // the count included this commit
	case revision == l.revision+1:
		l.tally.Merge(changed)
		l.revision = revision
	default:
		l.tally = nil
	}
}

// withTally calls fn with the tally of the memories that are counted.
func (s *Searcher) withTally(ctx context.Context, of Counted, fn func(*tally.Tally)) error {
	if !of.isAll() {
		t, err := s.readCounted(ctx, of)
		if err == nil {
			fn(t)
		}
		return err
	}
	if s.tally.use(fn) {
		return nil
	}
	t, revision, err := s.readAll(ctx) // a writer does not wait for it
	if err != nil {
		return err
	}
	fn(t)
	l := &s.tally
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.followed <= revision && !s.db.ReadOnly() { // another process changes a read-only database
		l.tally, l.revision = t, revision
	}
	return nil
}

// use calls fn with the tally, if it has been read.
func (l *liveTally) use(fn func(*tally.Tally)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tally != nil {
		fn(l.tally)
	}
	return l.tally != nil
}

// readAll counts all memories, and returns the revision that the tally equals.
func (s *Searcher) readAll(ctx context.Context) (t *tally.Tally, revision int64, err error) {
	err = s.db.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := q.One(ctx, "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'revision'), 0)", nil, &revision); err != nil {
			return err
		}
		t, err = tally.Read(ctx, q, "", nil)
		return err
	})
	return t, revision, err
}

// readCounted counts a part of the memories.
func (s *Searcher) readCounted(ctx context.Context, of Counted) (t *tally.Tally, err error) {
	where, args := of.where()
	missing, missingArgs := of.whereUser()
	err = s.db.Snapshot(ctx, func(q sqlite.Reader) error {
		if t, err = tally.Read(ctx, q, " AND missing_since IS NULL"+where, args); err != nil || of.Model {
			return err
		}
		gone, err := tally.Read(ctx, q, " AND missing_since IS NOT NULL"+missing, missingArgs)
		t.Merge(gone)
		return err
	})
	return t, err
}
