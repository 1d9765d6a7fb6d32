// Package journal stores decisions, and records what happened. An [Intent] is a decision while
// it is written into files, and the sidecar keeps what no file has. Forgetting covers every copy
// of a text, and destroying deletes them. The rest is the audit, receipts, what each session
// offered to capture, reviews, and the current context. It contains ids, figures and keyed
// hashes, and no text of a memory but for the lines that a review changed.
package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/knowledge"
)

// Journal reads the decisions of a database, and what it recorded. It is safe for concurrent use.
type Journal struct {
	sql      *sqldb.DB
	feedback sqldb.Cache[[]memory.Feedback]
}

// New returns the journal of a database.
func New(db *sqldb.DB) *Journal { return &Journal{sql: db} }

// Writer writes the journal inside a transaction.
type Writer struct {
	sql     *sqldb.Tx
	changes *rows.Tx
	now     sqldb.Millis
}

// In returns the journal inside a transaction at now.
func In(tx *sqldb.Tx, c *rows.Tx, now time.Time) *Writer {
	return &Writer{tx, c, sqldb.ToMillis(now)}
}

// Audit adds rows to the audit. A row without a time gets the transaction's. Old
// and New contain fields of state, never a memory's text.
func (w *Writer) Audit(rows ...memory.AuditRow) error {
	for _, r := range rows {
		at := sqldb.ToMillis(r.At)
		if at == 0 {
			at = w.now
		}
		before, err := jsonObject(r.Old)
		if err != nil {
			return fmt.Errorf("audit %s of %s: %w", r.Action, r.ID, err)
		}
		after, err := jsonObject(r.New)
		if err != nil {
			return fmt.Errorf("audit %s of %s: %w", r.Action, r.ID, err)
		}
		if err := w.sql.Exec(`INSERT INTO memory_audit(at, action, memory_id, source, old, new, batch) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			at, r.Action, r.ID, r.Source, before, after, r.Batch); err != nil {
			return err
		}
	}
	return nil
}

func jsonObject(m map[string]any) (string, error) {
	if m == nil {
		return "{}", nil
	}
	b, err := json.Marshal(m)
	return string(b), err
}

// Audit lists audit rows, newest first. r.ID is an id prefix as a person types it.
func (j *Journal) Audit(ctx context.Context, r memory.AuditRequest) (a memory.AuditAnswer, err error) {
	prefix := ""
	if r.ID != "" {
		if prefix, err = memory.ParseIDPrefix(r.ID); err != nil {
			return a, err
		}
	}
	limit := r.Limit
	if limit <= 0 {
		limit = math.MaxInt32
	}
	const where = ` FROM memory_audit WHERE memory_id >= ?1 AND (?1 = '' OR memory_id < ?1 || 'g') AND (?2 = '' OR action = ?2)
		AND (?3 = '' OR source = ?3)`
	err = j.sql.Snapshot(ctx, func(q sqldb.Reader) error {
		if err := q.One(ctx, "SELECT count(*)"+where, []any{prefix, r.Action, r.Source}, &a.Total); err != nil {
			return err
		}
		return q.Each(ctx, "SELECT "+AuditColumns+where+" ORDER BY seq DESC LIMIT ?4 OFFSET ?5",
			[]any{prefix, r.Action, r.Source, limit, max(r.Offset, 0)}, func(scan func(...any) error) error {
				row, err := ScanAudit(scan)
				a.Audit = append(a.Audit, row)
				return err
			})
	})
	return a, sqldb.Wrap("read audit", err)
}

// AuditColumns are the columns of a row of the audit.
const AuditColumns = "at, action, memory_id, source, old, new, batch"

// ScanAudit scans [AuditColumns].
func ScanAudit(scan func(...any) error) (r memory.AuditRow, err error) {
	var at sqldb.Millis
	var before, after string
	if err := scan(&at, &r.Action, &r.ID, &r.Source, &before, &after, &r.Batch); err != nil {
		return r, err
	}
	r.At = at.Time()
	if err := json.Unmarshal([]byte(before), &r.Old); err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(after), &r.New)
}

// UndoLog lists the latest n commands of people and agents that can still be
// undone, newest first. It lists destroy too, so that undo can refuse it. It lists
// neither undo commands nor undone ones.
func (j *Journal) UndoLog(ctx context.Context, n int) (batches []string, err error) {
	batches, err = sqldb.Column[string](ctx, j.sql.Read(), `SELECT batch FROM memory_audit
		WHERE source IN ('cli', 'tool', 'agent') AND batch <> ''
		AND action IN ('forget', 'restore', 'pin', 'unpin', 'promote', 'demote', 'archive', 'trust', 'supersede', 'revive',
		               'keep', 'edit', 'merge', 'feedback', 'destroy', 'store', 'capture', 'set-context', 'clear-context', 'restore-snapshot')
		AND batch NOT IN (SELECT json_extract(new, '$.undid') FROM memory_audit
		                  WHERE action = 'undo' AND json_extract(new, '$.undid') IS NOT NULL)
		GROUP BY batch ORDER BY max(seq) DESC LIMIT ?`, n)
	return batches, sqldb.Wrap("read commands", err)
}

// ModelTokens returns how many tokens language models may have taken since a time.
func (j *Journal) ModelTokens(ctx context.Context, since time.Time) (tokens int, err error) {
	err = j.sql.Read().One(ctx, "SELECT coalesce(sum(CAST(json_extract(new, '$.tokens') AS INTEGER)), 0) FROM memory_audit WHERE action = ? AND at >= ?",
		[]any{knowledge.AuditModel, sqldb.ToMillis(since)}, &tokens)
	return tokens, sqldb.Wrap("read the calls of language models", err)
}

// AuditBatch lists the audit rows of one command in the order of its changes.
func (j *Journal) AuditBatch(ctx context.Context, batch string) (rows []memory.AuditRow, err error) {
	err = j.sql.Read().Each(ctx, "SELECT "+AuditColumns+` FROM memory_audit
		WHERE batch = ? ORDER BY seq`, []any{batch}, func(scan func(...any) error) error {
		row, err := ScanAudit(scan)
		rows = append(rows, row)
		return err
	})
	return rows, sqldb.Wrap("read command", err)
}

// EditedSince returns, for each memory of a command, the fields of its state that edits
// of files changed after the command.
func (j *Journal) EditedSince(ctx context.Context, batch string) (fields map[memory.ID][]string, err error) {
	fields = map[memory.ID][]string{}
	err = j.sql.Read().Each(ctx, `SELECT DISTINCT a.memory_id, field.key FROM memory_audit a, json_each(a.new) field
		WHERE a.source = 'file' AND a.seq > (SELECT max(seq) FROM memory_audit WHERE batch = ?1)
		AND a.memory_id IN (SELECT memory_id FROM memory_audit WHERE batch = ?1)`, []any{batch}, func(scan func(...any) error) error {
		var id memory.ID
		var field string
		err := scan(&id, &field)
		fields[id] = append(fields[id], field)
		return err
	})
	return fields, sqldb.Wrap("read edits", err)
}
