package journal

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// RestoredByFile is a memory that is no longer forgotten because a file lost the line
// that forgot it.
type RestoredByFile struct {
	ID   memory.ID
	File string
	At   time.Time
}

// RestoredByFiles lists the present memories that files restored since a time, latest
// first. It leaves out those about which somebody has decided after that.
func (j *Journal) RestoredByFiles(ctx context.Context, since time.Time) (all []RestoredByFile, err error) {
	err = j.sql.Read().Each(ctx, `SELECT a.memory_id, json_extract(a.new, '$.file'), a.at FROM memory_audit a
		JOIN memories m ON m.id = a.memory_id JOIN places p ON p.memory_id = m.id
		WHERE a.action = 'restore' AND a.source = 'file' AND a.at >= ? AND json_extract(a.new, '$.file') <> '' AND NOT m.do_not_inject
		AND NOT EXISTS (SELECT 1 FROM memory_audit b WHERE b.memory_id = a.memory_id AND b.seq > a.seq
		                AND b.action IN ('forget', 'restore', 'undo'))
		ORDER BY a.seq DESC`, []any{sqlite.ToMillis(since)}, func(scan func(...any) error) error {
		var r RestoredByFile
		var at sqlite.Millis
		err := scan(&r.ID, &r.File, &at)
		r.At = at.Time()
		all = append(all, r)
		return err
	})
	return all, sqlite.Wrap("read restored memories", err)
}

// Spared lists the memories that were to be destroyed, and whose texts were edited before.
// They are in a file and still forgotten, and nobody has decided about them since.
func (j *Journal) Spared(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = sqlite.Column[memory.ID](ctx, j.sql.Read(), `SELECT DISTINCT a.memory_id FROM memory_audit a
		JOIN memories m ON m.id = a.memory_id JOIN places p ON p.memory_id = m.id
		WHERE a.action = 'forget' AND a.source = 'file' AND json_extract(a.new, '$.reason') IS NOT NULL AND m.do_not_inject
		AND NOT EXISTS (SELECT 1 FROM memory_audit b WHERE b.memory_id = a.memory_id AND b.seq > a.seq
		                AND b.action IN ('forget', 'restore', 'undo'))
		ORDER BY a.memory_id`)
	return ids, sqlite.Wrap("read spared memories", err)
}
