package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// maxVersions is how many versions of a memory are listed on each side: more than a
// person reads.
const maxVersions = 50

// selectOlder selects what a memory replaced, directly or by way of others, and
// selectNewer what replaced it. UNION ends at memories that replace each other.
const (
	selectOlder = `WITH RECURSIVE version(id, step) AS (
			SELECT id, 1 FROM memories WHERE superseded_by = ?1
			UNION SELECT m.id, v.step + 1 FROM version v JOIN memories m ON m.superseded_by = v.id WHERE m.id <> ?1 AND v.step < ?2)
		SELECT id FROM version WHERE id <> ?1 GROUP BY id ORDER BY min(step), id LIMIT ?2`
	selectNewer = `WITH RECURSIVE version(id, step) AS (
			SELECT superseded_by, 1 FROM memories WHERE id = ?1 AND superseded_by IS NOT NULL
			UNION SELECT m.superseded_by, v.step + 1 FROM version v JOIN memories m ON m.id = v.id
				WHERE m.superseded_by IS NOT NULL AND m.superseded_by <> ?1 AND v.step < ?2)
		SELECT id FROM version WHERE id <> ?1 GROUP BY id ORDER BY min(step), id LIMIT ?2`
)

// Versions returns the memories that a memory replaced, the latest first, and those
// that replaced it, the next first. Missing and forgotten ones are included.
func (s *Searcher) Versions(ctx context.Context, id memory.ID) (older, newer []memory.Memory, err error) {
	err = s.db.Snapshot(ctx, func(r sqldb.Reader) error {
		if older, err = readVersions(ctx, r, selectOlder, id); err != nil {
			return err
		}
		newer, err = readVersions(ctx, r, selectNewer, id)
		return err
	})
	return older, newer, sqldb.Wrap("read versions", err)
}

// readVersions reads the memories whose ids a query returns, in its order.
func readVersions(ctx context.Context, r sqldb.Reader, query string, of memory.ID) (list []memory.Memory, err error) {
	ids, err := sqldb.Column[memory.ID](ctx, r, query, of, maxVersions)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	found := map[memory.ID]memory.Memory{}
	err = r.Each(ctx, "SELECT "+MemoryColumns+" FROM remembered WHERE id IN (SELECT value FROM json_each(?))", []any{sqldb.JSONList(ids)},
		func(scan func(...any) error) error {
			m, err := ScanMemory(scan)
			found[m.ID] = m
			return err
		})
	for _, id := range ids {
		if m, known := found[id]; known {
			list = append(list, m)
		}
	}
	return list, err
}

// UnknownSuccessors lists the present memories that are superseded by memories of which
// the index has never seen the text, by id.
func (s *Searcher) UnknownSuccessors(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, s.db.Read(), `SELECT v.id FROM visible v WHERE v.id IN (SELECT id FROM memories WHERE superseded_by IS NOT NULL)
		AND v.superseded_by IS NOT NULL AND NOT v.forgotten AND NOT EXISTS (SELECT 1 FROM memories n WHERE n.id = v.superseded_by)
		ORDER BY v.id`)
	return ids, sqldb.Wrap("read versions", err)
}

// SupersededByThemselves lists the memories whose successors lead back to them, by id.
// The views leave such links out.
func (s *Searcher) SupersededByThemselves(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, s.db.Read(), `WITH RECURSIVE successor(of, id, step) AS (
			SELECT id, superseded_by, 1 FROM memories WHERE superseded_by IS NOT NULL
			UNION SELECT s.of, n.superseded_by, s.step + 1 FROM successor s JOIN memories n ON n.id = s.id
				WHERE n.superseded_by IS NOT NULL AND s.id <> s.of AND s.step < 50)
		SELECT of FROM successor WHERE id = of ORDER BY of`)
	return ids, sqldb.Wrap("read versions", err)
}
