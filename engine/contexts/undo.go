package contexts

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// IsChange reports whether a command set or cleared the current context.
func IsChange(row memory.AuditRow) bool {
	return row.Action == memory.AuditSetContext || row.Action == memory.AuditClearContext
}

// Undo makes the context current again that a command replaced or cleared.
func (c *Contexts) Undo(ctx context.Context, now time.Time, r memory.DecideRequest, row memory.AuditRow) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	if r.Preview {
		return a, nil
	}
	p := plan.New(now, memory.ActionUndo, r.Source, false)
	p.RecordUndo(row.Batch, []memory.AuditRow{row})
	restored := false
	user, _ := row.New[userKey].(string) // without one: everybody's
	err := c.db.Update(ctx, now, func(tx *index.Tx) (err error) {
		if restored, err = tx.RestoreContext(row.Batch, user); err != nil {
			return err
		}
		return tx.Audit(p.Rows...)
	})
	if err != nil {
		return a, err
	}
	a.Batch = p.Batch
	a.Notices = append(a.Notices, "no current context is set any more; the one before has expired, or there was none")
	if restored {
		a.Notices[0] = "the former context is current again"
	}
	return a, nil
}
