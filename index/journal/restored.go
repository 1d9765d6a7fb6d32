package journal

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// RestoredByFiles counts the present memories that are no longer forgotten since a time because
// a file lost the line, and returns the last such file. It leaves out those about which somebody
// has decided after that.
func (j *Journal) RestoredByFiles(ctx context.Context, since time.Time) (n int, latest string, err error) {
	seen := map[memory.ID]bool{}
	err = j.sql.Read().Each(ctx, `SELECT a.memory_id, json_extract(a.new, '$.file') FROM memory_audit a
		JOIN memories m ON m.id = a.memory_id JOIN places p ON p.memory_id = m.id
		WHERE a.action = 'restore' AND a.source = 'file' AND a.at >= ? AND json_extract(a.new, '$.file') <> '' AND NOT m.do_not_inject
		AND NOT EXISTS (SELECT 1 FROM memory_audit b WHERE b.memory_id = a.memory_id AND b.seq > a.seq
		                AND b.action IN ('forget', 'restore', 'undo'))
		ORDER BY a.seq`, []any{sqldb.ToMillis(since)}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id, &latest)
		seen[id] = true
		return err
	})
	return len(seen), latest, sqldb.Wrap("count restored memories", err)
}

// Spared lists the memories that were to be destroyed, and whose texts were edited before.
// They are in a file and still forgotten, and nobody has decided about them since.
func (j *Journal) Spared(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, j.sql.Read(), `SELECT DISTINCT a.memory_id FROM memory_audit a
		JOIN memories m ON m.id = a.memory_id JOIN places p ON p.memory_id = m.id
		WHERE a.action = 'forget' AND a.source = 'file' AND json_extract(a.new, '$.reason') IS NOT NULL AND m.do_not_inject
		AND NOT EXISTS (SELECT 1 FROM memory_audit b WHERE b.memory_id = a.memory_id AND b.seq > a.seq
		                AND b.action IN ('forget', 'restore', 'undo'))
		ORDER BY a.memory_id`)
	return ids, sqldb.Wrap("read spared memories", err)
}
