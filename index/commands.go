package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// UndoLog names the newest commands that nobody has taken back, newest first,
// destroyings among them, which nobody can: those of people and agents, and neither what an undo did nor what one
// has taken back.
func (db *DB) UndoLog(ctx context.Context, n int) (batches []string, err error) {
	err = db.sql.Read().Each(ctx, `SELECT batch FROM memory_audit
		WHERE source IN ('cli', 'tool', 'agent') AND batch <> ''
		AND action IN ('forget', 'restore', 'pin', 'unpin', 'promote', 'demote', 'archive', 'destroy')
		AND batch NOT IN (SELECT json_extract(new, '$.undid') FROM memory_audit
		                  WHERE action = 'undo' AND json_extract(new, '$.undid') IS NOT NULL)
		GROUP BY batch ORDER BY max(seq) DESC LIMIT ?`, []any{n}, func(scan func(...any) error) error {
		var batch string
		err := scan(&batch)
		batches = append(batches, batch)
		return err
	})
	return batches, sqlite.Wrap("read commands", err)
}

// AuditBatch gives what one command did, in its order.
func (db *DB) AuditBatch(ctx context.Context, batch string) (rows []memory.AuditRow, err error) {
	err = db.sql.Read().Each(ctx, `SELECT at, action, memory_id, source, old, new, batch FROM memory_audit
		WHERE batch = ? ORDER BY seq`, []any{batch}, func(scan func(...any) error) error {
		row, err := scanAudit(scan)
		rows = append(rows, row)
		return err
	})
	return rows, sqlite.Wrap("read command", err)
}
