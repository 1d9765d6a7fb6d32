package index

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Audit notes decisions. Rows without a time get the transaction's. Old and
// New hold words of state, never text.
func (tx *Tx) Audit(rows ...memory.AuditRow) error {
	for _, r := range rows {
		at := sqlite.ToMillis(r.At)
		if at == 0 {
			at = sqlite.ToMillis(tx.Now)
		}
		old, err := jsonObject(r.Old)
		if err != nil {
			return fmt.Errorf("audit %s of %s: %w", r.Action, r.ID, err)
		}
		now, err := jsonObject(r.New)
		if err != nil {
			return fmt.Errorf("audit %s of %s: %w", r.Action, r.ID, err)
		}
		if err := tx.sql.Exec(`INSERT INTO memory_audit(at, action, memory_id, source, old, new, batch) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			at, r.Action, r.ID, r.Source, old, now, r.Batch); err != nil {
			return err
		}
	}
	return nil
}

func jsonObject(m map[string]any) (string, error) {
	if m == nil {
		return "{}", nil
	}
	return toJSON(m)
}

// Audit lists decisions, newest first; ID is a prefix as people type it.
func (db *DB) Audit(ctx context.Context, r memory.AuditRequest) (a memory.AuditAnswer, err error) {
	prefix := ""
	if r.ID != "" {
		if prefix, err = memory.ParseIDPrefix(r.ID); err != nil {
			return a, err
		}
	}
	limit := r.Limit
	if limit <= 0 {
		limit = -1
	}
	const where = ` FROM memory_audit WHERE memory_id >= ?1 AND (?1 = '' OR memory_id < ?1 || 'g') AND (?2 = '' OR action = ?2)
		AND (?3 = '' OR source = ?3)`
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := q.One(ctx, "SELECT count(*)"+where, []any{prefix, r.Action, r.Source}, &a.Total); err != nil {
			return err
		}
		return q.Each(ctx, "SELECT at, action, memory_id, source, old, new, batch"+where+" ORDER BY seq DESC LIMIT ?4 OFFSET ?5",
			[]any{prefix, r.Action, r.Source, limit, max(r.Offset, 0)}, func(scan func(...any) error) error {
				row, err := scanAudit(scan)
				a.Audit = append(a.Audit, row)
				return err
			})
	})
	return a, sqlite.Wrap("read audit", err)
}

func scanAudit(scan func(...any) error) (r memory.AuditRow, err error) {
	var at sqlite.Millis
	var old, now string
	if err := scan(&at, &r.Action, &r.ID, &r.Source, &old, &now, &r.Batch); err != nil {
		return r, err
	}
	r.At = at.Time()
	if err := json.Unmarshal([]byte(old), &r.Old); err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(now), &r.New)
}
